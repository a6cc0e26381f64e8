import { helpWidth, wrap } from "./wrap.ts";

export interface DescribedCommand {
  readonly name: string;
  readonly description: string;
}

/** The help of the program: its commands. */
export function describeCommands(purpose: string, commands: readonly DescribedCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Usage: hookwright COMMAND [options]",
    "",
    purpose,
    "",
    ...commands.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`),
    "",
    ...wrap(
      "Run `hookwright COMMAND --help` for the options of a command, and `hookwright --version` for the version.",
      helpWidth,
    ),
  ].join("\n");
}
