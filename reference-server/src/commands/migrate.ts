import type { Program } from "../program.ts";
import { ServerError } from "../server-error.ts";
import { describeStorage } from "../storage-location.ts";
import { readSharedStorage } from "./shared-storage.ts";
import { createToolCommand } from "./tool-command.ts";

const allowed = "postgres://user:password@host:port/database";

/** `hookwright migrate` creates or migrates the tables in PostgreSQL. */
export function createMigrateCommand(program: Program) {
  return createToolCommand({
    name: "migrate",
    description: "Create or migrate the tables in PostgreSQL",
    options: [
      { flag: "storage", value: "postgres://…", description: "The database (HOOKWRIGHT_STORAGE)" },
      { flag: "print", description: "Print the SQL that creates the tables, and change nothing" },
    ],
    notes: [
      "A server does this itself when it starts. Run the command if the role of the server may not create tables: with a role that may, before the server starts. Then grant the role of the server usage on the schema and all rights on its tables.",
    ],
    async run(given) {
      const storage = readSharedStorage(given, program.environment, allowed);
      if (storage.type !== "postgres")
        throw new ServerError(
          "invalid_option",
          `migrate needs a PostgreSQL database (--storage ${allowed}).`,
        );
      const { migratePostgresStore, postgresMigrationSql } = await import("@hookwright/storage/postgres");
      if (given["print"] !== undefined) return program.print(postgresMigrationSql({ url: storage.url }));
      await migratePostgresStore({ url: storage.url });
      return program.complain(`the tables in ${describeStorage(storage)} are up to date`);
    },
  });
}
