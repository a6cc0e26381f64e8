export { createKeyboard } from "./terminal/keyboard.ts";
export { describeCommands } from "./command-line/describe-commands.ts";
export { integratorCommands, runIntegratorCommand } from "./run-integrator-command.ts";
export { openStandardOutput } from "./terminal/standard-output.ts";
export { helpWidth, wrap } from "./terminal/wrap.ts";

export type { ListedCommand, Option, Word } from "./command-line/command.ts";
export type { Environment, Program } from "./terminal/program.ts";
export type { IntegratorCommandOptions } from "./run-integrator-command.ts";
export type { AskOptions, Keyboard, KeyboardInput } from "./terminal/keyboard.ts";
