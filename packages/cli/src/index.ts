export { integratorCommands } from "./all-commands.ts";
export { describeCommand } from "./command-line/describe-command.ts";
export { parseArguments } from "./command-line/parse-arguments.ts";
export { runProgram } from "./command-line/run-program.ts";
export { runProcess } from "./terminal/run-process.ts";

export type { CommandUsage, GivenOptions, ListedCommand, Option, Word } from "./command-line/command.ts";
export type { ParsedArguments } from "./command-line/parse-arguments.ts";
export type { RunProgramOptions } from "./command-line/run-program.ts";
export type { Environment, Program, StopSignal } from "./terminal/program.ts";
export type { AskOptions, Keyboard } from "./terminal/keyboard.ts";
