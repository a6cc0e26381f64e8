import { integratorCommands } from "@hookwright/cli";
import { findNearest } from "@hookwright/domain";
import { letHeapGrow } from "../heap-settings.ts";
import { describeUnknownVariables } from "../options/unknown-variables.ts";
import type { Program } from "../program.ts";
import { ServerError } from "../server-error.ts";
import { hidePassword } from "../hide-password.ts";
import { commandDescriptions } from "./server-command.ts";
import type { CommandName, ServerCommand } from "./server-command.ts";

type CommandFactory = (program: Program) => ServerCommand;

const loaders: Readonly<Record<CommandName, () => Promise<CommandFactory>>> = {
  serve: async () => (await import("./serve.ts")).createServeCommand,
  backup: async () => (await import("./backup.ts")).createBackupCommand,
  export: async () => (await import("./export.ts")).createExportCommand,
  import: async () => (await import("./import.ts")).createImportCommand,
  migrate: async () => (await import("./migrate.ts")).createMigrateCommand,
  "check-storage": async () => (await import("./check-storage.ts")).createCheckStorageCommand,
  doctor: async () => (await import("./doctor.ts")).createDoctorCommand,
  "rotate-secret": async () => (await import("./rotate-secret.ts")).createRotateSecretCommand,
};

/** Runs a command of the server and returns the exit code. An unknown one is explained. */
export async function runServerCommand(program: Program, commandLine: readonly string[]): Promise<number> {
  const [name = "", ...rest] = commandLine;
  if (!isCommandName(name)) {
    program.complain(`hookwright: ${await explainUnknown(commandLine, name)}\nSee \`hookwright --help\`.`);
    return 2;
  }
  const createCommand = await loaders[name]();
  const command = createCommand(program);
  if (rest.includes("--help") || rest.includes("-h")) {
    program.print(command.help);
    return 0;
  }
  // `serve` writes these warnings to its log, and `doctor` prints them.
  if (name !== "serve" && name !== "doctor")
    for (const warning of describeUnknownVariables(program.environment))
      program.complain(`hookwright: ${warning}`);
  if (name !== "serve") letHeapGrow();
  try {
    return await command.run(rest);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    program.complain(`hookwright: ${error.message}`);
    return error.exitCode;
  }
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandDescriptions, name);
}

async function explainUnknown(commandLine: readonly string[], name: string): Promise<string> {
  const commands = [...Object.keys(commandDescriptions), ...integratorCommands.map((each) => each.name)];
  if (!name.startsWith("-")) {
    const nearest = findNearest(name, commands);
    const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
    return `unknown command ${JSON.stringify(name)}${hint}. The commands are: ${commands.join(", ")}.`;
  }
  const { isServeOption } = await import("./serve.ts");
  const command =
    commandLine.find((word) => commands.includes(word)) ?? (isServeOption(name) ? "serve" : undefined);
  const others = commandLine.filter((word) => word !== command).map(hidePassword);
  const hint =
    command === undefined
      ? `The commands are: ${commands.join(", ")}`
      : `Write \`hookwright ${[command, ...others].join(" ")}\``;
  return `unknown option ${JSON.stringify(hidePassword(name))}. Options must follow a command. ${hint}.`;
}
