/** The server's commands, in the order of the help. Each says in one line what it does. */
export const commandDescriptions = {
  serve: "Serve the integration API and deliver webhooks",
  backup: "Back up a data directory while servers use it",
  export: "Export all data of one account as lines of JSON",
  import: "Import an account that `hookwright export` wrote",
  migrate: "Create or migrate the tables in PostgreSQL",
  "check-storage": "Read a whole storage or a backup, and report damage",
  doctor: "Check the storage, the secret, the network and the versions",
  "rotate-secret": "Replace the server secret while servers run",
};

export type CommandName = keyof typeof commandDescriptions;

export interface ServerCommand {
  readonly help: string;
  /**
   * Runs with the words after the command's name, and returns the exit code.
   *
   * @throws {ServerError} its message is shown
   */
  run(rawArguments: readonly string[]): Promise<number>;
}
