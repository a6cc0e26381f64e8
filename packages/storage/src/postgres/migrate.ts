import { StorageError } from "../storage-error.ts";
import type { Link } from "./link.ts";
import { sqlStateOf, statementError } from "./postgres-errors.ts";
import { runStatement, type Row } from "./statement.ts";
import { outboxMigrationSql, outboxVersion } from "./outbox-schema.ts";
import { migrationSql, schemaVersion } from "./schema.ts";

/** The first version with everything that the store uses. */
const oldestServer = 140_000;
/** Another process may be migrating a large table. */
const migrationTimeoutMs = 10 * 60_000;
/** Partitions use the locks 0 to 63 of a schema. */
const migrationLock = 1_000;

/** Tables with a version of their own. */
interface Part {
  /** The table of the applied versions. */
  readonly table: string;
  readonly version: number;
  readonly sql: (schema: string, fromVersion: number) => string;
  /** For messages: what its tables are, and the command that creates them. */
  readonly name: string;
  readonly command: string;
}

const parts = {
  store: {
    table: "migrations",
    version: schemaVersion,
    sql: migrationSql,
    name: "the store",
    command: "hookwright migrate --storage",
  },
  outbox: {
    table: "outbox_migrations",
    version: outboxVersion,
    sql: outboxMigrationSql,
    name: "the outbox",
    command: "hookwright migrate --outbox",
  },
} as const satisfies Record<string, Part>;

/** The commits of a store take rows of the outbox, so a store has both. */
export const partsOfStore: readonly Part[] = [parts.store, parts.outbox];
export const partsOfOutbox: readonly Part[] = [parts.outbox];

/**
 * Creates or migrates the tables. Of several processes one migrates, the others wait.
 *
 * @throws {StorageError} `unavailable`
 */
export async function migrate(
  link: Link,
  options: {
    readonly parts: readonly Part[];
    readonly schema: string;
    readonly serverAddress: string;
  },
): Promise<void> {
  const { schema, serverAddress } = options;
  const [row = []] = await link.read(
    `select current_setting('server_version_num'), pg_is_in_recovery()::text, current_user`,
    [],
  );
  const [server, isStandby, role] = row;
  if (Number(server) < oldestServer)
    throw new StorageError(
      "unavailable",
      `PostgreSQL at ${serverAddress} has version ${Number(server) / 10_000}. Upgrade it to 14 or newer.`,
    );
  if (isStandby === "true")
    throw new StorageError(
      "unavailable",
      `PostgreSQL at ${serverAddress} is a read-only standby. Nothing was written. Connect to the primary.`,
      { reason: "read_only_replica" },
    );
  for (const part of options.parts) {
    const version = await readVersion((text) => link.read(text, []), schema, part);
    assertSupported(version, schema, part);
    if (version < part.version)
      await migrateInTransaction(link, { part, schema, serverAddress, role: String(role) });
  }
}

async function readVersion(
  read: (text: string) => Promise<readonly Row[]>,
  schema: string,
  { table }: Part,
): Promise<number> {
  // Unlike `to_regclass`, a query sees what another process has committed while this one waited for the lock.
  const found = await read(
    `select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = '${schema}' and c.relname = '${table}'`,
  );
  if (found.length === 0) return 0;
  const [[version] = []] = await read(`select max(version)::text from ${schema}.${table}`);
  return Number(version ?? 0);
}

/** @throws {StorageError} `unavailable` */
function assertSupported(version: number, schema: string, part: Part): void {
  if (version <= part.version) return;
  throw new StorageError(
    "unavailable",
    `The schema ${schema} has version ${version} of ${part.name}, but this program supports only versions up to ${part.version}. A newer program has migrated it. Update this program, or use another schema.`,
  );
}

interface MigrationOptions {
  readonly part: Part;
  readonly schema: string;
  readonly role: string;
  readonly serverAddress: string;
}

async function migrateInTransaction(link: Link, options: MigrationOptions): Promise<void> {
  const { part, schema, serverAddress } = options;
  const { client, release } = await link.checkOut();
  let isBroken = true;
  const run = (text: string): Promise<readonly Row[]> => runStatement(client, text, [], migrationTimeoutMs);
  try {
    await run("begin isolation level read committed");
    // The time-outs of the role are for short statements.
    await run("set local statement_timeout = 0");
    await run(`select pg_advisory_xact_lock(hashtext('${schema}'), ${migrationLock})`);
    const found = await run(`select 1 from pg_catalog.pg_namespace where nspname = '${schema}'`);
    if (found.length === 0) await run(`create schema ${schema}`);
    const version = await readVersion(run, schema, part);
    assertSupported(version, schema, part);
    if (version < part.version) await run(part.sql(schema, version));
    await run("commit");
    isBroken = false;
  } catch (error) {
    throw sqlStateOf(error) === "42501"
      ? permissionError(options, error)
      : statementError(serverAddress, error);
  } finally {
    // Closing the connection also ends the transaction.
    release(isBroken);
  }
}

function permissionError(
  { part, schema, role, serverAddress }: MigrationOptions,
  cause: unknown,
): StorageError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new StorageError(
    "unavailable",
    `The role ${role} may not create the tables of ${part.name} in PostgreSQL at ${serverAddress}, schema ${schema} (${text}). Run \`${part.command} postgres://…\` with a role that may, such as the owner of the database. Then grant ${role} usage on the schema and all rights on its tables.`,
    { cause, reason: "permission_denied" },
  );
}
