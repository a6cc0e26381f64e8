import { hidePassword } from "@hookwright/domain";
import { exitStatus } from "../cli-error.ts";
import { suggest } from "../suggest.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import type { Program } from "../terminal/program.ts";
import type { ListedCommand } from "./command.ts";
import { describeCommands } from "./describe-command.ts";

export interface RunProgramOptions {
  readonly program: Program;
  /** What the program is for, in a sentence. */
  readonly purpose: string;
  readonly version: string;
  /** In the order of the help. */
  readonly commands: readonly ListedCommand[];
  /** What to do if no command is given. */
  readonly firstStep?: string;
  /** Explains a command that does not exist. Undefined: the commands are listed. */
  readonly explainCommand?: (name: string) => string | undefined;
  /** The command that an option in front of any command is probably meant for. */
  readonly findCommandOf?: (option: string) => Promise<string | undefined>;
}

/**
 * Runs a command line of a program `hookwright`, and returns the exit status.
 *
 * @example
 * process.exitCode = await runProgram({ program, purpose: "Webhooks.", version: "1.0.0", commands: integratorCommands });
 */
export async function runProgram(options: RunProgramOptions): Promise<number> {
  const { program, purpose, version, commands, firstStep } = options;
  const [first, ...others] = program.commandLine;
  const [name, ...rest] =
    first === "help" && others[0] !== undefined ? [others[0], "--help"] : [first, ...others];
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const help = describeCommands(purpose, commands);
    if (name !== undefined) {
      program.print(help);
      return exitStatus.done;
    }
    const advice = firstStep === undefined ? "" : ` ${firstStep}`;
    program.complain(`${help}\n\nhookwright: no command given.${advice}`);
    return exitStatus.wrongUsage;
  }
  if (name === "--version" || name === "-v") {
    program.print(version);
    return exitStatus.done;
  }
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command.start(program, rest, commands);
  const why = name.startsWith("-") ? await explainOption(name, options) : explainName(name, options);
  program.complain(`hookwright: ${escapeControls(why)}\nSee \`hookwright --help\`.`);
  return exitStatus.wrongUsage;
}

async function explainOption(
  option: string,
  { program: { commandLine }, commands, findCommandOf }: RunProgramOptions,
): Promise<string> {
  const names = commands.map((each) => each.name);
  const command = commandLine.find((word) => names.includes(word)) ?? (await findCommandOf?.(option));
  const others = commandLine.filter((word) => word !== command).map(hidePassword);
  const hint =
    command === undefined
      ? `The commands are: ${names.join(", ")}`
      : `Write \`hookwright ${[command, ...others].join(" ")}\``;
  return `unknown option ${JSON.stringify(hidePassword(option))}. Options must follow a command. ${hint}.`;
}

function explainName(name: string, { commands, explainCommand }: RunProgramOptions): string {
  const names = commands.map((each) => each.name);
  return (
    explainCommand?.(name) ??
    `unknown command ${JSON.stringify(name)}${suggest(name, names, "")}. The commands are: ${names.join(", ")}.`
  );
}
