import { stripVTControlCharacters } from "node:util";
import { defineCommand, renderUsage, runCommand } from "citty";
import packageJson from "../package.json" with { type: "json" };
import { createBackupCommand } from "./commands/backup.ts";
import { createExportCommand } from "./commands/export.ts";
import { createImportCommand } from "./commands/import.ts";
import { createServeCommand } from "./commands/serve.ts";
import { describeOptions } from "./options/describe-options.ts";
import type { Program } from "./program.ts";
import { ServerError } from "./server-error.ts";

/** Carries out a command line and answers the exit code. Commands that serve resolve when they have shut down. */
export async function runCli(program: Program): Promise<number> {
  const [name, ...rest] = program.commandLine;
  const commands = new Map([
    ["serve", { command: createServeCommand(program), help: describeOptions() }],
    ["backup", createBackupCommand(program)],
    ["export", createExportCommand(program)],
    ["import", createImportCommand(program)],
  ]);
  const root = defineCommand({
    meta: { name: "hookwright", version: packageJson.version, description: packageJson.description },
    subCommands: Object.fromEntries([...commands].map(([each, { command }]) => [each, command])),
  });
  // citty ends its usage with the colours of the process it looks up itself, terminal or not.
  const toText = (usage: string): string => (program.isTerminal ? usage : stripVTControlCharacters(usage));

  if (name === undefined || name === "help" || isHelp(name)) {
    const usage = toText(await renderUsage(root));
    if (name !== undefined) program.print(usage);
    else
      program.complain(
        `${usage}\n\nhookwright: say which command to run; \`hookwright serve\` starts the server.`,
      );
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    program.print(packageJson.version);
    return 0;
  }
  const found = commands.get(name);
  if (found === undefined) {
    const hint = name.startsWith("-")
      ? "options follow a command"
      : `the commands are: ${[...commands.keys()].join(", ")}`;
    return refuse(
      program,
      `unknown ${name.startsWith("-") ? "option" : "command"} ${JSON.stringify(name)}; ${hint}.`,
    );
  }
  if (rest.some(isHelp)) {
    program.print(found.help);
    return 0;
  }
  try {
    await runCommand(found.command, { rawArgs: rest });
    return 0;
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    program.complain(`hookwright: ${error.message}`);
    return error.exitCode;
  }
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

function refuse(program: Program, message: string): number {
  program.complain(`hookwright: ${message}\nSee \`hookwright --help\`.`);
  return 2;
}
