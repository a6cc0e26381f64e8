import packageJson from "../package.json" with { type: "json" };
import { exitStatus } from "./cli-error.ts";
import { describeCommands } from "./command-line/describe-commands.ts";
import { suggest } from "./suggest.ts";
import { escapeControls } from "./terminal/escape-controls.ts";
import type { Program } from "./terminal/program.ts";
import { integratorCommands, runIntegratorCommand } from "./run-integrator-command.ts";

/** Runs a command line of the program `hookwright` of this package, and returns the exit status. */
export async function runCli(program: Program): Promise<number> {
  const [first, ...others] = program.commandLine;
  const [name, ...rest] =
    first === "help" && others[0] !== undefined ? [others[0], "--help"] : [first, ...others];
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const help = describeCommands(packageJson.description, integratorCommands);
    if (name !== undefined) program.print(help);
    else program.complain(`${help}\n\nhookwright: no command given.`);
    return name === undefined ? exitStatus.wrongUsage : exitStatus.done;
  }
  if (name === "--version" || name === "-v") {
    program.print(packageJson.version);
    return exitStatus.done;
  }
  const status = await runIntegratorCommand({ program, name, commandLine: rest });
  if (status !== undefined) return status;
  program.complain(`hookwright: ${escapeControls(explainUnknown(name))}\nSee \`hookwright --help\`.`);
  return exitStatus.wrongUsage;
}

/** Commands of the standalone server, which a person may expect here. */
const ofServer = new Set(["serve", "backup", "export", "import", "migrate"]);

function explainUnknown(name: string): string {
  const names = integratorCommands.map((each) => each.name);
  if (name.startsWith("-")) {
    return `unknown option ${JSON.stringify(name.split("=", 1)[0])}. Options must follow a command. The commands are: ${names.join(", ")}.`;
  }
  if (ofServer.has(name))
    return `${name} is a command of the standalone server, which also has all commands of this program.`;
  return `unknown command ${JSON.stringify(name)}${suggest(name, names, "")}. The commands are: ${names.join(", ")}.`;
}
