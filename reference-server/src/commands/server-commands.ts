import { describeCommand, parseArguments } from "@hookwright/cli";
import type { CommandUsage, ListedCommand, Program } from "@hookwright/cli";
import { StorageError } from "@hookwright/storage";
import { letHeapGrow } from "../heap-settings.ts";
import { describeUnknownVariables } from "../options/unknown-variables.ts";
import { ServerError } from "../server-error.ts";
import type { ServerCommand } from "./server-command.ts";
import { isSystemError } from "./write-complete.ts";

/** In the order of the help. The code of a command is loaded when it runs, so that a help is quick. */
const commands: readonly (readonly [name: string, text: string, load: () => Promise<ServerCommand>])[] = [
  [
    "serve",
    "Serve the integration API and deliver webhooks",
    async () => (await import("./serve.ts")).serveCommand,
  ],
  [
    "backup",
    "Back up a data directory while servers use it",
    async () => (await import("./backup.ts")).backupCommand,
  ],
  [
    "export",
    "Export all data of one account as lines of JSON",
    async () => (await import("./export.ts")).exportCommand,
  ],
  [
    "import",
    "Import an account that `hookwright export` wrote",
    async () => (await import("./import.ts")).importCommand,
  ],
  [
    "migrate",
    "Create or migrate the tables in PostgreSQL",
    async () => (await import("./migrate.ts")).migrateCommand,
  ],
  [
    "check-storage",
    "Read a whole storage or a backup, and report damage",
    async () => (await import("./check-storage.ts")).checkStorageCommand,
  ],
  [
    "doctor",
    "Check the storage, the secret, the network and the versions",
    async () => (await import("./doctor.ts")).doctorCommand,
  ],
  [
    "rotate-secret",
    "Replace the server secret while servers run",
    async () => (await import("./rotate-secret.ts")).rotateSecretCommand,
  ],
];

export const serverCommands: readonly ListedCommand[] = commands.map(([name, description, load]) => ({
  name,
  description,
  group: "Server",
  start: async (program, commandLine) =>
    runServerCommand({ name, description, ...(await load()) }, program, commandLine),
}));

async function runServerCommand(
  command: ServerCommand & CommandUsage,
  program: Program,
  commandLine: readonly string[],
): Promise<number> {
  const { name, options, complete = (words) => words } = command;
  if (commandLine.includes("--help") || commandLine.includes("-h")) {
    program.print(describeCommand(command));
    return 0;
  }
  // `serve` writes these warnings to its log, and `doctor` prints them.
  if (name !== "serve" && name !== "doctor")
    for (const warning of describeUnknownVariables(program.environment))
      program.complain(`hookwright: ${warning}`);
  if (name !== "serve") letHeapGrow();
  try {
    const parsed = parseArguments(
      command,
      complete(commandLine),
      (message) => new ServerError("invalid_option", message),
    );
    const given = Object.fromEntries(options.map(({ flag }) => [flag, parsed.options.get(flag)]));
    return (await command.run(given, program)) ?? 0;
  } catch (error) {
    const known = name === "serve" ? error : toServerError(error);
    if (!(known instanceof ServerError)) throw known;
    program.complain(`hookwright: ${known.message}`);
    return known.exitCode;
  }
}

function toServerError(error: unknown): unknown {
  if (error instanceof StorageError)
    return new ServerError("storage_unavailable", error.message, { cause: error });
  // For a full disk or an unreadable file, a stack trace does not help.
  if (isSystemError(error)) return new ServerError("transfer_refused", `${error.message}.`, { cause: error });
  return error;
}
