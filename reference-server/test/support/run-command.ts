import { runCli } from "../../src/cli.ts";
import { createTestProgram } from "./test-program.ts";

/** Runs a command of the server in this process. */
export async function runCommand(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = "",
) {
  const program = createTestProgram({ commandLine, environment, input });
  const code = await runCli(program);
  return {
    code,
    printed: program.printed.join("\n"),
    complained: program.complained.join("\n"),
    written: program.written.join(""),
  };
}
