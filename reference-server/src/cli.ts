import { describeCommands, integratorCommands, runIntegratorCommand } from "@hookwright/cli";
import { findNearest } from "@hookwright/domain";
import { runCommand } from "citty";
import packageJson from "../package.json" with { type: "json" };
import { createBackupCommand } from "./commands/backup.ts";
import { createCheckStorageCommand } from "./commands/check-storage.ts";
import { createDoctorCommand } from "./commands/doctor.ts";
import { createExportCommand } from "./commands/export.ts";
import { createImportCommand } from "./commands/import.ts";
import { createMigrateCommand } from "./commands/migrate.ts";
import { createRotateSecretCommand } from "./commands/rotate-secret.ts";
import { completeSwitches, createServeCommand, isServeOption } from "./commands/serve.ts";
import { letHeapGrow } from "./heap-settings.ts";
import { describeUnknownVariables } from "./options/unknown-variables.ts";
import type { Program } from "./program.ts";
import { ServerError } from "./server-error.ts";
import { hidePassword } from "./storage-location.ts";

/** Runs a command line and returns the exit code. `serve` resolves when it has shut down. */
export async function runCli(program: Program): Promise<number> {
  const commandLine = expandHelpCommand(program.commandLine);
  const [name, ...rest] = commandLine;
  const commands = new Map([
    ["serve", createServeCommand(program)],
    ["backup", createBackupCommand(program)],
    ["export", createExportCommand(program)],
    ["import", createImportCommand(program)],
    ["migrate", createMigrateCommand(program)],
    ["check-storage", createCheckStorageCommand(program)],
    ["doctor", createDoctorCommand(program)],
    ["rotate-secret", createRotateSecretCommand(program)],
  ]);

  const ofServer = [...commands].map(([each, { description }]) => ({
    name: each,
    description,
    group: "Server",
  }));
  const names = [...ofServer, ...integratorCommands].map((each) => each.name);

  if (name === undefined || name === "help" || isHelp(name)) {
    const help = describeCommands(packageJson.description, [...ofServer, ...integratorCommands]);
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
  const status = await runIntegratorCommand({ program, name, commandLine: rest, otherCommands: ofServer });
  if (status !== undefined) return status;
  const found = commands.get(name);
  if (found === undefined) {
    program.complain(`hookwright: ${explainUnknown(commandLine, name, names)}\nSee \`hookwright --help\`.`);
    return 2;
  }
  if (rest.some(isHelp)) {
    program.print(found.help);
    return 0;
  }
  if (name !== "serve") {
    // `serve` writes these warnings to its log.
    for (const warning of describeUnknownVariables(program.environment))
      program.complain(`hookwright: ${warning}`);
    letHeapGrow();
  }
  try {
    const { result } = await runCommand(found.command, {
      rawArgs: name === "serve" ? completeSwitches(rest) : rest,
    });
    return typeof result === "number" ? result : 0;
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    program.complain(`hookwright: ${error.message}`);
    return error.exitCode;
  }
}

/** Treats `help serve` like `serve --help`. */
function expandHelpCommand(commandLine: readonly string[]): readonly string[] {
  const [first, second] = commandLine;
  return first === "help" && second !== undefined ? [second, "--help"] : commandLine;
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

function explainUnknown(commandLine: readonly string[], name: string, commands: readonly string[]): string {
  if (!name.startsWith("-")) {
    const nearest = findNearest(name, commands);
    const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
    return `unknown command ${JSON.stringify(name)}${hint}. The commands are: ${commands.join(", ")}.`;
  }
  const command =
    commandLine.find((word) => commands.includes(word)) ?? (isServeOption(name) ? "serve" : undefined);
  const others = commandLine.filter((word) => word !== command).map(hidePassword);
  const hint =
    command === undefined
      ? `The commands are: ${commands.join(", ")}`
      : `Write \`hookwright ${[command, ...others].join(" ")}\``;
  return `unknown option ${JSON.stringify(hidePassword(name))}. Options must follow a command. ${hint}.`;
}
