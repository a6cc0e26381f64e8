import { commands } from "./all-commands.ts";
import type { ListedCommand } from "./command-line/command.ts";
import { runCommand } from "./command-line/run-command.ts";
import type { Program } from "./terminal/program.ts";

/** The commands for integrators, for a list of commands and for completion. */
export const integratorCommands: readonly ListedCommand[] = commands;

export interface IntegratorCommandOptions {
  readonly program: Program;
  /** The name of a command in `integratorCommands`. */
  readonly name: string;
  /** The arguments after the name. */
  readonly commandLine: readonly string[];
  /** Commands that the program offers beside these, for `completion`. @default none */
  readonly otherCommands?: readonly ListedCommand[];
}

/**
 * Runs a command for integrators inside another program, such as the standalone server.
 *
 * @returns the exit status. Undefined if there is no such command
 * @example
 * const status = await runIntegratorCommand({ program, name: "webhooks", commandLine: ["--json"] });
 */
export async function runIntegratorCommand({
  program,
  name,
  commandLine,
  otherCommands = [],
}: IntegratorCommandOptions): Promise<number | undefined> {
  const command = commands.find((each) => each.name === name);
  if (command === undefined) return undefined;
  return runCommand({ program, command, commandLine, listed: [...commands, ...otherCommands] });
}
