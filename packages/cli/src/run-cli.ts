import packageJson from "../package.json" with { type: "json" };
import { integratorCommands } from "./all-commands.ts";
import { runProgram } from "./command-line/run-program.ts";
import type { Program } from "./terminal/program.ts";

/** Commands of the standalone server, which a person may expect here. */
const ofServer = new Set(["serve", "backup", "export", "import", "migrate"]);

/** Runs a command line of the program `hookwright` of this package, and returns the exit status. */
export function runCli(program: Program): Promise<number> {
  return runProgram({
    program,
    purpose: packageJson.description,
    version: packageJson.version,
    commands: integratorCommands,
    explainCommand: (name) =>
      ofServer.has(name)
        ? `${name} is a command of the standalone server, which also has all commands of this program.`
        : undefined,
  });
}
