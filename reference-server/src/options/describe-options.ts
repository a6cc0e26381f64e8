import { helpWidth, wrap } from "@hookwright/cli";
import { showDefault } from "./option.ts";
import type { Option } from "./option.ts";
import { options } from "./options.ts";
import { fileVariableOf } from "./secret-files.ts";

interface Entry {
  readonly names: string;
  readonly shownDefault: string | undefined;
  readonly description: string;
}

const margin = "      ";
const fileVariables = Object.values(options).flatMap((option) => fileVariableOf(option) ?? []);

/** The help of `serve`: each option with its flag, variable, default and description. */
export function describeOptions(): string {
  const entries: readonly Entry[] = [
    ...Object.values(options).map(toEntry),
    {
      names: "--demo",
      shownDefault: undefined,
      description: "Create a demo account and show a delivery from end to end",
    },
  ];
  // Other names may be longer.
  const withDefault = entries.filter(({ shownDefault }) => shownDefault !== undefined);
  const width = Math.max(...withDefault.map(({ names }) => names.length));
  return [
    "Usage: hookwright serve [options]",
    "",
    "Serves the integration API and delivers webhooks until SIGTERM or Ctrl-C.",
    "Each option has a flag, an environment variable, or both, and a default:",
    "",
    ...entries.flatMap(({ names, shownDefault = "", description }) => [
      `  ${names.padEnd(width)}  ${shownDefault}`.trimEnd(),
      ...wrap(description, helpWidth - margin.length).map((line) => margin + line),
    ]),
    "",
    "A flag overrides its variable. An empty variable counts as unset.",
    ...wrap(
      `A value can also be the content of a file, which these variables name: ${fileVariables.join(", ")}.`,
      helpWidth,
    ),
  ].join("\n");
}

function toEntry(option: Option<unknown>): Entry {
  const { flag, variable, description } = option;
  const names = flag === undefined ? variable : `--${flag}, ${variable}`;
  return { names, shownDefault: showDefault(option), description };
}
