import { helpWidth, wrap } from "./wrap.ts";

export interface DescribedCommand {
  readonly name: string;
  readonly description: string;
}

/** The help of the program itself: its commands, as that of each command lists its options. */
export function describeCommands(purpose: string, commands: readonly DescribedCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "hookwright COMMAND [options]",
    "",
    purpose,
    "",
    ...commands.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`),
    "",
    ...wrap(
      "`hookwright COMMAND --help` lists the options of a command, `hookwright --version` tells the version.",
      helpWidth,
    ),
  ].join("\n");
}
