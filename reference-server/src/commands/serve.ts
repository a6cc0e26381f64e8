import type { Option as FlagOption } from "@hookwright/cli";
import { showDefault } from "../options/option.ts";
import type { Option } from "../options/option.ts";
import { options } from "../options/options.ts";
import { readSettings } from "../options/read-settings.ts";
import { fileVariableOf } from "../options/secret-files.ts";
import type { ServerCommand } from "./server-command.ts";

const flagged = Object.values(options).flatMap((option: Option<unknown>) =>
  option.flag === undefined ? [] : [{ ...option, flag: option.flag }],
);

const fileVariables = Object.values(options).flatMap((option) => fileVariableOf(option) ?? []);

/** `hookwright serve` runs until a signal ends it. */
export const serveCommand: ServerCommand = {
  entries: [
    ...Object.values(options).map(toEntry),
    ["--demo", "Create a demo account and show a delivery from end to end"],
  ],
  notes: [
    "It runs until SIGTERM or Ctrl-C. A flag overrides its variable. An empty variable counts as unset.",
    `A value can also be the content of a file, which these variables name: ${fileVariables.join(", ")}.`,
  ],
  complete: completeSwitches,
  options: [
    ...flagged.map(({ flag, description }): FlagOption => ({
      flag,
      value: "VALUE",
      description,
      // The last one counts, so that a script can add options to those of another one.
      repeats: true,
      mayBeEmpty: true,
    })),
    { flag: "demo", description: "Create a demo account and show a delivery from end to end" },
  ],
  async run({ demo, ...flags }, program) {
    const { environment, isTerminal } = program;
    const settings = readSettings({ flags, demo: demo !== undefined, environment, isTerminal });
    // Loaded late, so that a help and a refused option are quick.
    const { runServer } = await import("../run-server.ts");
    await runServer({ settings, program });
    return 0;
  },
};

/** An option in the help, with its flag and variable, and its default. */
function toEntry(option: Option<unknown>): readonly [label: string, text: string] {
  const { flag, variable, description } = option;
  const shown = showDefault(option);
  return [
    flag === undefined ? variable : `--${flag}, ${variable}`,
    shown === undefined ? description : `${description}. Default: ${shown}`,
  ];
}

/** Adds the values of switches, so that `--standard-webhooks` means `--standard-webhooks=on`. */
export function completeSwitches(commandLine: readonly string[]): string[] {
  return commandLine.map((argument, index) => {
    const option = flagged.find(({ flag }) => `--${flag}` === argument);
    const isLast = (commandLine[index + 1] ?? "-").startsWith("-");
    return option?.bare !== undefined && isLast ? `${argument}=${option.bare}` : argument;
  });
}

/** True for an option of this command, such as `--port` or `--port=80`. */
export function isServeOption(argument: string): boolean {
  const name = /^--([^=]+)/u.exec(argument)?.[1];
  return serveCommand.options.some(({ flag }) => flag === name);
}
