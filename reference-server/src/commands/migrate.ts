import { StorageError } from "@hookwright/storage";
import { parsePostgresUrl } from "@hookwright/storage/postgres";
import { explainRefusal, options } from "../options/options.ts";
import type { Environment } from "@hookwright/cli";
import { ServerError } from "../server-error.ts";
import { hidePassword } from "@hookwright/domain";
import { describeStorage, parseStorageLocation } from "../storage-location.ts";
import type { StorageLocation } from "../storage-location.ts";
import { readSharedStorage } from "./shared-storage.ts";
import type { Given, ServerCommand } from "./server-command.ts";

const allowed = "postgres://user:password@host:port/database";

interface Target {
  /** Without the password. */
  readonly name: string;
  /** The SQL that it needs now. */
  readonly readSql: () => Promise<string>;
  /** The SQL that creates its tables. */
  readonly sql: () => string;
  readonly migrate: () => Promise<void>;
}

/** `hookwright migrate` creates or migrates the tables in PostgreSQL. */
export const migrateCommand: ServerCommand = {
  options: [
    {
      flag: "storage",
      value: "postgres://…",
      description: "The database of the storage (HOOKWRIGHT_STORAGE)",
    },
    {
      flag: "outbox",
      value: "postgres://…",
      description: "The database of an outbox that is not in the storage (HOOKWRIGHT_OUTBOX)",
    },
    { flag: "print", description: "Print the SQL that the database needs now, and change nothing" },
  ],
  notes: [
    "A server does this itself when it starts. Run the command if the role of the server may not create tables: with a role that may, before the server starts. Then grant the role of the server its rights, here in the schema hookwright: grant usage on schema hookwright to ROLE; grant select, insert, update, delete on all tables in schema hookwright to ROLE; grant select on all sequences in schema hookwright to ROLE; grant execute on all functions in schema hookwright to ROLE;",
    "The tables of a storage include its outbox. With --outbox alone, only the outbox is created.",
  ],
  async run(given, program) {
    const targets = await findTargets(given, program.environment);
    if (given["print"] !== undefined) {
      const printed: string[] = [];
      for (const target of targets) printed.push(await printSql(target));
      program.print(printed.join("\n"));
      return undefined;
    }
    for (const { name, migrate } of targets) {
      await migrate();
      program.complain(`the tables in ${name} are up to date`);
    }
    return undefined;
  },
};

/** A script can be prepared where the database cannot be reached. Then it is that of an empty one, and says so. */
async function printSql({ name, readSql, sql }: Target): Promise<string> {
  try {
    return `-- ${name}\n${await readSql()}`;
  } catch (error) {
    if (!(error instanceof StorageError) || error.reason !== "unreachable") throw error;
    return `-- ${name}\n-- ${error.message}\n-- This SQL is for a database without the tables.\n${sql()}`;
  }
}

/** @throws {ServerError} `invalid_option` */
async function findTargets(given: Given, environment: Environment): Promise<readonly Target[]> {
  const outbox = readOutbox(given, environment);
  const targets: Target[] = [];
  const storage = readStorage(given, environment, outbox);
  const postgres = await import("@hookwright/storage/postgres");
  if (storage !== undefined) {
    const { url } = storage;
    targets.push({
      name: describeStorage(storage),
      readSql: () => postgres.readPostgresMigrationSql({ url }),
      sql: () => postgres.postgresMigrationSql({ url }),
      migrate: () => postgres.migratePostgresStore({ url }),
    });
  }
  if (outbox !== undefined && !isSamePlace(storage?.url, outbox))
    targets.push({
      name: hidePassword(outbox),
      readSql: () => postgres.readPostgresOutboxMigrationSql({ url: outbox }),
      sql: () => postgres.postgresOutboxMigrationSql({ url: outbox }),
      migrate: () => postgres.migratePostgresOutbox({ url: outbox }),
    });
  return targets;
}

/** A storage has an outbox, so its SQL must not be printed twice. */
function isSamePlace(storage: string | undefined, outbox: string): boolean {
  if (storage === undefined) return false;
  const [one, other] = [storage, outbox].map((url) => {
    const { serverAddress, schema = "hookwright" } = parsePostgresUrl(url);
    return `${serverAddress} ${schema}`;
  });
  return one === other;
}

/** Undefined if only the outbox is migrated: the storage may then be of any kind. */
function readStorage(
  given: Given,
  environment: Environment,
  outbox: string | undefined,
): Extract<StorageLocation, { readonly type: "postgres" }> | undefined {
  if (given["storage"] === undefined && outbox !== undefined) {
    const location = parseStorageLocation((environment[options.storage.variable] ?? "").trim());
    return given["outbox"] === undefined && location?.type === "postgres" ? location : undefined;
  }
  const storage = readSharedStorage(given, environment, allowed);
  if (storage.type === "postgres") return storage;
  throw new ServerError("invalid_option", `migrate needs a PostgreSQL database (--storage ${allowed}).`);
}

function readOutbox(given: Given, environment: Environment): string | undefined {
  const text = (given["outbox"] ?? environment[options.outbox.variable] ?? "").trim();
  if (text === "") return undefined;
  const url = options.outbox.parse(text);
  if (url === undefined) throw new ServerError("invalid_option", explainRefusal(options.outbox, text));
  return url;
}
