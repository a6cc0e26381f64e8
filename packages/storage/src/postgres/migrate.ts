import { StorageError } from "../storage-error.ts";
import type { Link } from "./link.ts";
import { sqlStateOf, statementError } from "./postgres-errors.ts";
import { toStatement, type Column } from "./statement.ts";
import { migrationSql, schemaVersion } from "./schema.ts";

/** The first version with everything that the store uses. */
const oldestServer = 140_000;
/** Another process may be migrating a large table. */
const migrationTimeoutMs = 10 * 60_000;
/** Partitions use the locks 0 to 63 of a schema. */
const migrationLock = 1_000;

/**
 * Creates or migrates the tables. Of several processes one migrates, the others wait.
 *
 * @throws {StorageError} `unavailable`
 */
export async function migrate(
  link: Link,
  options: { readonly schema: string; readonly serverAddress: string },
): Promise<void> {
  const { schema, serverAddress } = options;
  const [row = []] = await link.read(
    `select current_setting('server_version_num'), pg_is_in_recovery()::text, current_user, to_regclass('${schema}.migrations')::text`,
    [],
  );
  const [server, isStandby, role, table] = row;
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
  const version = table === null ? 0 : await readVersion(link, schema);
  assertSupported(version, schema);
  if (version < schemaVersion)
    await migrateInTransaction(link, { schema, serverAddress, role: String(role) });
}

async function readVersion(link: Link, schema: string): Promise<number> {
  const [[version] = []] = await link.read(`select max(version)::text from ${schema}.migrations`, []);
  return Number(version ?? 0);
}

/** @throws {StorageError} `unavailable` */
function assertSupported(version: number, schema: string): void {
  if (version <= schemaVersion) return;
  throw new StorageError(
    "unavailable",
    `The schema ${schema} has version ${version}, but this program supports only versions up to ${schemaVersion}. A newer program has migrated it. Update this program, or use another schema.`,
  );
}

async function migrateInTransaction(
  link: Link,
  options: { readonly schema: string; readonly serverAddress: string; readonly role: string },
): Promise<void> {
  const { schema, serverAddress, role } = options;
  const { client, release } = await link.checkOut();
  let isBroken = true;
  const run = (text: string) => client.query<Column[]>(toStatement(text, [], migrationTimeoutMs));
  try {
    await run("begin isolation level read committed");
    // The time-outs of the role are for short statements.
    await run("set local statement_timeout = 0");
    await run(`select pg_advisory_xact_lock(hashtext('${schema}'), ${migrationLock})`);
    const [[hasSchema, hasTable] = []] = (
      await run(`select to_regnamespace('${schema}')::text, to_regclass('${schema}.migrations')::text`)
    ).rows;
    if (hasSchema === null) await run(`create schema ${schema}`);
    const [[version] = []] =
      hasTable === null ? [] : (await run(`select max(version)::text from ${schema}.migrations`)).rows;
    const current = Number(version ?? 0);
    assertSupported(current, schema);
    if (current < schemaVersion) await run(migrationSql(schema, current));
    await run("commit");
    isBroken = false;
  } catch (error) {
    throw sqlStateOf(error) === "42501"
      ? permissionError({ schema, role, serverAddress, cause: error })
      : statementError(serverAddress, error);
  } finally {
    // Closing the connection also ends the transaction.
    release(isBroken);
  }
}

function permissionError(options: {
  readonly schema: string;
  readonly role: string;
  readonly serverAddress: string;
  readonly cause: unknown;
}): StorageError {
  const { schema, role, serverAddress, cause } = options;
  const text = cause instanceof Error ? cause.message : String(cause);
  return new StorageError(
    "unavailable",
    `The role ${role} may not create the tables of the store in PostgreSQL at ${serverAddress}, schema ${schema} (${text}). Run \`hookwright migrate\` with a role that may, such as the owner of the database. Then grant ${role} usage on the schema and all rights on its tables.`,
    { cause, reason: "permission_denied" },
  );
}
