import { describeCommands, integratorCommands, runIntegratorCommand } from "@hookwright/cli";
import packageJson from "../package.json" with { type: "json" };
import { commandDescriptions } from "./commands/server-command.ts";
import type { Program } from "./program.ts";

const serverCommands = Object.entries(commandDescriptions).map(([name, description]) => ({
  name,
  description,
  group: "Server",
}));

/**
 * Runs a command line and returns the exit code. `serve` resolves when it has shut down. The code of a server command is loaded when it
 * runs, so that a help is quick.
 */
export async function runCli(program: Program): Promise<number> {
  const commandLine = expandHelpCommand(program.commandLine);
  const [name, ...rest] = commandLine;
  if (name === undefined || name === "help" || isHelp(name)) {
    const help = describeCommands(packageJson.description, [...serverCommands, ...integratorCommands]);
    if (name !== undefined) program.print(help);
    else
      program.complain(
        `${help}\n\nhookwright: no command given. Run \`hookwright serve\` to start the server.`,
      );
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    program.print(packageJson.version);
    return 0;
  }
  const status = await runIntegratorCommand({
    program,
    name,
    commandLine: rest,
    otherCommands: serverCommands,
  });
  if (status !== undefined) return status;
  const { runServerCommand } = await import("./commands/run-server-command.ts");
  return await runServerCommand(program, commandLine);
}

/** Treats `help serve` like `serve --help`. */
function expandHelpCommand(commandLine: readonly string[]): readonly string[] {
  const [first, second] = commandLine;
  return first === "help" && second !== undefined ? [second, "--help"] : commandLine;
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}
