import { helpWidth, wrap } from "../terminal/wrap.ts";
import type { ListedCommand } from "./command.ts";

/**
 * The text of `hookwright --help`: all commands, in groups.
 *
 * @example describeCommands("The command line.", integratorCommands)
 */
export function describeCommands(purpose: string, commands: readonly ListedCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const groups = [...new Set(commands.map(({ group }) => group))];
  return [
    "Usage: hookwright COMMAND [options]",
    "",
    ...wrap(purpose, helpWidth),
    ...groups.flatMap((group) => [
      "",
      `${group}:`,
      ...commands
        .filter((each) => each.group === group)
        .map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`),
    ]),
    "",
    ...wrap(
      "Run `hookwright COMMAND --help` for the options of a command, and `hookwright --version` for the version.",
      helpWidth,
    ),
    "",
    ...wrap(
      "Exit status: 0 done, 1 negative result, 2 wrong usage, 3 no server or no credential, or an unexpected error, 130 interrupted.",
      helpWidth,
    ),
  ].join("\n");
}
