import { StorageError } from "../storage-error.ts";
import type { Link } from "./link.ts";
import { grantStatements, sqlStateOf } from "./postgres-errors.ts";
import { runStatement, type Row } from "./statement.ts";
import { outboxMigrationSql, outboxVersion } from "./outbox-schema.ts";
import { refuseUnsafeSchema } from "./refuse-unsafe-schema.ts";
import { migrationSql, schemaVersion } from "./schema.ts";

/** The first version with everything that the store uses. */
const oldestServer = 140_000;
/** Another process may be migrating a large table. */
const migrationTimeoutMs = 10 * 60_000;
/** Names without a schema are those of PostgreSQL, whoever may create others in `public`. */
const searchPath = "set local search_path = pg_catalog, pg_temp;";
/** Inserts of a host wait behind a migration that waits for its table. */
const lockTimeout = "set local lock_timeout = '500ms';";
const lockRetryMs = 1_500;
const defaultLockLimitMs = 60_000;
/** A lock was not free in time, or two transactions waited for each other. */
const lockErrors: ReadonlySet<string> = new Set(["55P03", "40P01"]);
/** Another process has created the same schema or table at the same moment. */
const raceErrors: ReadonlySet<string> = new Set(["23505", "42P06", "42P07"]);
const maximumRaces = 3;

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

interface Target {
  readonly parts: readonly Part[];
  readonly schema: string;
  readonly serverAddress: string;
}

/**
 * Creates or migrates the tables. Of several processes one migrates, the others wait.
 *
 * @param options.lockLimitMs how long it tries to lock tables that other transactions hold
 * @param options.mayMigrate false: nothing is changed. @default true
 * @throws {StorageError} `unavailable`; `migration_pending` if it may not migrate, but the role may
 */
export async function migrate(
  link: Link,
  options: Target & {
    readonly lockLimitMs?: number | undefined;
    readonly mayMigrate?: boolean | undefined;
  },
): Promise<void> {
  const { schema, serverAddress, lockLimitMs = defaultLockLimitMs, mayMigrate = true } = options;
  const { isStandby, role } = await readServer(link, serverAddress);
  if (isStandby)
    throw new StorageError(
      "unavailable",
      `PostgreSQL at ${serverAddress} is a read-only standby. Nothing was written. Connect to the primary.`,
      { reason: "read_only_replica" },
    );
  const read = (text: string): Promise<readonly Row[]> => link.read(text, []);
  await refuseUnsafeSchema(read, options);
  for (const part of options.parts) {
    const version = await readVersion(read, schema, part);
    assertSupported(version, schema, part);
    if (version >= part.version) continue;
    // A role without the right gets the error of a start.
    if (!mayMigrate && (await isOwner(read, schema))) throw pendingError(options, part);
    await migratePart(link, { part, schema, serverAddress, role, lockLimitMs, isTrial: !mayMigrate });
    if (!mayMigrate) throw pendingError(options, part);
  }
}

/**
 * Returns the SQL that a database needs, or only a comment if it needs none.
 *
 * @throws {StorageError} `unavailable`
 */
export async function readMigrationSql(link: Link, options: Target): Promise<string> {
  const { schema, serverAddress } = options;
  await readServer(link, serverAddress);
  const read = (text: string): Promise<readonly Row[]> => link.read(text, []);
  await refuseUnsafeSchema(read, options);
  const versions = new Map<Part, number>();
  for (const part of options.parts) {
    const version = await readVersion(read, schema, part);
    assertSupported(version, schema, part);
    versions.set(part, version);
  }
  return toMigrationSql(schema, { versions, hasSchema: await isSchema(read, schema) });
}

/** Returns the SQL for parts of these versions. Version 0 has no tables. */
export function toMigrationSql(
  schema: string,
  options: { readonly versions: ReadonlyMap<Part, number>; readonly hasSchema: boolean },
): string {
  const { versions, hasSchema } = options;
  const outdated = Array.from(versions).filter(([part, version]) => version < part.version);
  if (outdated.length === 0) return `-- The schema ${schema} is up to date.`;
  return [
    "-- While another transaction holds a table, this fails and changes nothing. Then run it again.",
    "begin;",
    searchPath,
    lockTimeout,
    // Even with "if not exists" it needs the right to create schemas.
    ...(hasSchema ? [] : [`create schema if not exists ${schema};`]),
    ...outdated.map(([part, version]) => part.sql(schema, version)),
    "commit;",
  ].join("\n");
}

async function readServer(
  link: Link,
  serverAddress: string,
): Promise<{ readonly isStandby: boolean; readonly role: string }> {
  const [[server, isStandby, role] = []] = await link.read(
    `select pg_catalog.current_setting('server_version_num'), pg_catalog.pg_is_in_recovery()::text, current_user`,
    [],
  );
  if (Number(server) < oldestServer)
    throw new StorageError(
      "unavailable",
      `PostgreSQL at ${serverAddress} has version ${Number(server) / 10_000}. Upgrade it to 14 or newer.`,
    );
  return { isStandby: isStandby === "true", role: String(role) };
}

type Read = (text: string) => Promise<readonly Row[]>;

async function isSchema(read: Read, schema: string): Promise<boolean> {
  return (await read(`select 1 from pg_catalog.pg_namespace where nspname = '${schema}'`)).length > 0;
}

async function readVersion(read: Read, schema: string, { table }: Part): Promise<number> {
  // Unlike `to_regclass`, a query sees what another process has committed while this one waited for the lock.
  const found = await read(
    `select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = '${schema}' and c.relname = '${table}'`,
  );
  if (found.length === 0) return 0;
  const [[version] = []] = await read(`select pg_catalog.max(version)::text from ${schema}.${table}`);
  return Number(version ?? 0);
}

/** Whether the role may change the tables of the schema, or create the schema. */
async function isOwner(read: Read, schema: string): Promise<boolean> {
  const [[isAllowed] = []] = await read(
    `select coalesce(
      (select pg_catalog.pg_has_role(nspowner, 'USAGE') from pg_catalog.pg_namespace where nspname = '${schema}'),
      pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
    )::text`,
  );
  return isAllowed === "true";
}

function pendingError({ schema, serverAddress }: Target, { name }: Part): StorageError {
  return new StorageError(
    "migration_pending",
    `The tables of ${name} in PostgreSQL at ${serverAddress}, schema ${schema}, are missing or old. Nothing was changed. Open it without \`migrate: false\`, or run \`hookwright migrate\`.`,
  );
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
  readonly lockLimitMs: number;
  /** Ends with a rollback. */
  readonly isTrial: boolean;
}

/** Tries again while other transactions hold its tables. Between two attempts it waits for nothing. */
async function migratePart(link: Link, options: MigrationOptions): Promise<void> {
  const { lockLimitMs } = options;
  const begunAt = performance.now();
  for (let races = 0; ;) {
    try {
      return await migrateInTransaction(link, options);
    } catch (error) {
      const state = sqlStateOf(error);
      if (state !== undefined && raceErrors.has(state) && (races += 1) <= maximumRaces) continue;
      if (state === "42501") throw permissionError(options, error);
      if (state === undefined || !lockErrors.has(state)) throw link.toError(error);
      if (performance.now() - begunAt >= lockLimitMs)
        throw lockedError(options, await readHolders(link, options.schema), error);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(lockRetryMs, lockLimitMs)));
  }
}

/** The time-outs of a role are for short statements. No version of PostgreSQL has all of them. */
const withoutTimeouts = `select pg_catalog.set_config(name, '0', true) from pg_catalog.pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`;

async function migrateInTransaction(link: Link, { part, schema, isTrial }: MigrationOptions): Promise<void> {
  const { client, release } = await link.checkOut();
  let isBroken = true;
  const run = (text: string): Promise<readonly Row[]> => runStatement(client, text, [], migrationTimeoutMs);
  try {
    await run("begin isolation level read committed");
    await run(withoutTimeouts);
    await run(searchPath);
    if (!(await isSchema(run, schema))) await run(`create schema ${schema}`);
    if ((await readVersion(run, schema, part)) > 0)
      await run(`lock table ${schema}.${part.table} in share row exclusive mode`);
    await run(lockTimeout);
    const version = await readVersion(run, schema, part);
    assertSupported(version, schema, part);
    if (version < part.version) await run(part.sql(schema, version));
    await run(isTrial ? "rollback" : "commit");
    isBroken = false;
  } finally {
    // Closing the connection also ends the transaction.
    release(isBroken);
  }
}

/** Returns the transactions that hold tables of the schema, for a message. */
async function readHolders(link: Link, schema: string): Promise<readonly string[]> {
  const rows = await link
    .read(
      `select distinct coalesce('process ' || l.pid::text || ' of role ' || a.usename::text, 'a prepared transaction')
       from pg_catalog.pg_locks l join pg_catalog.pg_class c on c.oid = l.relation
       join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = $1
       left join pg_catalog.pg_stat_activity a on a.pid = l.pid
       where l.granted and l.pid is distinct from pg_catalog.pg_backend_pid() order by 1 limit 5`,
      [schema],
    )
    .catch(() => []);
  return rows.map(([holder]) => String(holder));
}

function lockedError(
  { part, schema, serverAddress, lockLimitMs }: MigrationOptions,
  holders: readonly string[],
  cause: unknown,
): StorageError {
  const who = holders.length === 0 ? "" : ` (${holders.join(", ")})`;
  return new StorageError(
    "unavailable",
    `The tables of ${part.name} in PostgreSQL at ${serverAddress}, schema ${schema}, were not migrated, because other transactions hold them for more than ${lockLimitMs / 1_000} s${who}. Nothing was changed. End these transactions, and start again.`,
    { cause, reason: "no_answer" },
  );
}

function permissionError(
  { part, schema, role, serverAddress }: MigrationOptions,
  cause: unknown,
): StorageError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new StorageError(
    "unavailable",
    `The role ${role} may not create the tables of ${part.name} in PostgreSQL at ${serverAddress}, schema ${schema} (${text}). Run \`${part.command} postgres://…\` with a role that may, such as the owner of the database. Then run \`${grantStatements({ schema, role })}\``,
    { cause, reason: "permission_denied" },
  );
}
