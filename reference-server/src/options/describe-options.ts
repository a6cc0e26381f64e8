import type { Option } from "./option.ts";
import { options } from "./options.ts";

interface Line {
  readonly flag: string;
  readonly variable: string;
  readonly text: string;
}

/** The help of `serve`: each option with its flag, its variable, what it is for and its default. */
export function describeOptions(): string {
  const lines: readonly Line[] = [
    ...Object.values(options).map(toLine),
    { flag: "--demo", variable: "", text: "Seed a demo account and show a delivery from end to end" },
  ];
  const flags = Math.max(...lines.map(({ flag }) => flag.length));
  const variables = Math.max(...lines.map(({ variable }) => variable.length));
  return [
    "hookwright serve [options]",
    "",
    "Serves the integration API and delivers webhooks, until SIGTERM or Ctrl-C.",
    "",
    ...lines.map(
      ({ flag, variable, text }) => `  ${flag.padEnd(flags)}  ${variable.padEnd(variables)}  ${text}`,
    ),
    "",
    "An option wins over its variable. A variable that is set but empty counts as unset.",
  ].join("\n");
}

function toLine({ flag, variable, description, shownDefault }: Option<unknown>): Line {
  return {
    flag: flag === undefined ? "" : `--${flag}`,
    variable,
    text: shownDefault === undefined ? description : `${description} (${shownDefault})`,
  };
}
