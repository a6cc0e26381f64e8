import { integratorCommands, runProgram } from "@hookwright/cli";
import type { Program } from "@hookwright/cli";
import packageJson from "../package.json" with { type: "json" };
import { serverCommands } from "./commands/server-commands.ts";

/** Runs a command line and returns the exit code. `serve` resolves when it has shut down. */
export function runCli(program: Program): Promise<number> {
  return runProgram({
    program,
    purpose: packageJson.description,
    version: packageJson.version,
    commands: [...serverCommands, ...integratorCommands],
    firstStep: "Run `hookwright serve` to start the server.",
    async findCommandOf(option) {
      const { isServeOption } = await import("./commands/serve.ts");
      return isServeOption(option) ? "serve" : undefined;
    },
  });
}
