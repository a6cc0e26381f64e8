import { HookwrightError, isSentEmpty, parseJson, toOutboxJson } from "@hookwright/domain";
import type { EventName, PublishInput } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import { currentTraceParent } from "../tracing/spans.ts";
import { validateEvent } from "../validate-event.ts";

/**
 * A database client inside your transaction: a `Client` of `pg`, or an object that passes the text and the values to your
 * own library.
 */
export interface TransactionClient {
  query(text: string, values: string[]): PromiseLike<unknown>;
  /** Only a pool has it. Its statements are not in your transaction, so it is refused. */
  readonly totalCount?: never;
}

/** An event without `as_of`: events of one record are published in the order of their rows. */
export type OutboxEvent<Name extends EventName = EventName> = {
  readonly [Event in Name]: Omit<PublishInput<Event>, "as_of">;
}[Name];

export interface PublishInTransactionOptions {
  /** The schema of the table `outbox`. @default "hookwright" */
  readonly schema?: string | undefined;
}

const defaultSchema = "hookwright";

/**
 * Inserts an event into the outbox in your own transaction. It is published within milliseconds after the commit, and never
 * after a rollback. Events of your own are not known here: use `hookwright.publishInTransaction` for them.
 *
 * An event with an unknown site is accepted. Its row ends in the table `outbox_rejected`.
 *
 * @throws HookwrightError `validation_failed`, `unknown_event`. Nothing was written, and the transaction can go on
 * @throws StorageError `invalid_argument` for the schema, a pool, or a client that is not in a transaction. Nothing was
 *   written; `unavailable` if PostgreSQL refuses the insert. The transaction can then only be rolled back
 * @example
 * await client.query("begin");
 * await client.query("update orders set status = 'paid' where id = 17");
 * await publishInTransaction(client, { event: "order.paid", project_id: "site_1", data: order });
 * await client.query("commit");
 */
export async function publishInTransaction<Name extends EventName>(
  client: TransactionClient,
  event: OutboxEvent<Name>,
  options: PublishInTransactionOptions = {},
): Promise<void> {
  checkClient(client);
  const schema = checkSchemaName(options.schema ?? defaultSchema);
  validateEvent(event);
  await insertEvent(client, asStored(event), schema);
}

/** The event as the relay will read it: with the data as JSON. @throws HookwrightError `validation_failed` */
export function asStored(input: unknown): unknown {
  const { data, ...fields } = toFields(input);
  return data === undefined ? input : { ...fields, data: toJsonValue(data) };
}

/** Inserts a valid event. @throws as {@link publishInTransaction} does */
export async function insertEvent(client: TransactionClient, input: unknown, schema: string): Promise<void> {
  const { event, project_id: projectId, data, as_of: asOf, id } = toFields(input);
  if (asOf !== undefined && asOf !== null && asOf !== "")
    throw new HookwrightError(
      "validation_failed",
      "as_of: cannot be used in a transaction, because events of one record are published in the order in which they were inserted",
    );
  await expectTransaction(client);
  const traceParent = currentTraceParent();
  // Columns that came later are named only if they are used, so that a table of an earlier version goes on.
  const later = [
    ["traceparent", traceParent],
    ["event_id", isSentEmpty(id) ? undefined : String(id)],
  ].filter((column): column is [string, string] => column[1] !== undefined);
  const columns = later.map(([name]) => `, ${name}`).join("");
  const places = later.map((_, index) => `, $${index + 4}::text`).join("");
  // As text, because clients send a parameter of the type jsonb in different ways.
  const statement = `insert into ${schema}.outbox (event, project_id, data${columns}) values ($1::text, $2::text, $3::text::jsonb${places})`;
  const values = [String(event), String(projectId), toOutboxJson(data), ...later.map(([, value]) => value)];
  try {
    await client.query(statement, values);
  } catch (cause) {
    throw insertError(cause, schema, client);
  }
}

/**
 * PostgreSQL has no function that tells whether a transaction is open, but refuses a savepoint outside of one. The savepoint is
 * released before anything is written, so it takes no transaction id. Newer versions of `pg` know the answer.
 *
 * @throws StorageError `invalid_argument`
 */
async function expectTransaction(client: TransactionClient): Promise<void> {
  if (
    "getTransactionStatus" in client &&
    typeof client.getTransactionStatus === "function" &&
    client.getTransactionStatus() === "T"
  )
    return;
  try {
    await client.query("savepoint hookwright", []);
  } catch (cause) {
    if (!hasSqlState(cause, "25P01")) throw cause;
    throw new StorageError(
      "invalid_argument",
      "client is not in a transaction, so a rollback would not take the event back. Nothing was published. Run `begin` on this client first. If you did, you ran it on another client, or on a pool.",
      { cause },
    );
  }
  await client.query("release savepoint hookwright", []);
}

/** @throws StorageError `invalid_argument` */
export function checkClient(client: unknown): asserts client is TransactionClient {
  if (typeof client === "object" && client !== null && "totalCount" in client && "connect" in client)
    throw new StorageError(
      "invalid_argument",
      "client is a pool, which runs each statement on any of its connections. Pass the client of your transaction: `const client = await pool.connect()`, then `begin`.",
    );
  if (
    typeof client === "object" &&
    client !== null &&
    "query" in client &&
    typeof client.query === "function"
  )
    return;
  throw new StorageError(
    "invalid_argument",
    "client must have a function query(text, values), as a client of pg has. Wrap the transaction of another library in such an object.",
  );
}

/** The name is part of a statement, so it must need no quotes. @throws StorageError `invalid_argument` */
export function checkSchemaName(schema: unknown): string {
  if (typeof schema === "string" && /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/u.test(schema)) return schema;
  throw new StorageError(
    "invalid_argument",
    "schema must have 1 to 40 lower-case letters, digits and underscores, and not begin with a digit or pg_.",
  );
}

function toFields(input: unknown): Partial<Record<keyof PublishInput | "id", unknown>> {
  return typeof input === "object" && input !== null ? input : {};
}

function toJsonValue(data: unknown): unknown {
  const json: string | undefined = toOutboxJson(data);
  // JSON cannot express a function. It is refused as data that is no object.
  return json === undefined ? data : parseJson(json);
}

/** Adds what to do to an error of PostgreSQL. */
function insertError(cause: unknown, schema: string, client: TransactionClient): unknown {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (hasSqlState(cause, "42501")) {
    const role = "user" in client && typeof client.user === "string" ? client.user : undefined;
    const grantee = role === undefined ? "the role" : `"${role}"`;
    return new StorageError(
      "unavailable",
      `${role === undefined ? "The role of the transaction" : `The role ${role}`} may not insert into ${schema}.outbox (${text}). Nothing was published. As the owner of the schema, run \`grant usage on schema ${schema} to ${grantee}; grant insert on ${schema}.outbox to ${grantee};\`.`,
      { cause, reason: "permission_denied" },
    );
  }
  if (hasSqlState(cause, "42P01", "3F000"))
    return new StorageError(
      "unavailable",
      `There is no table ${schema}.outbox (${text}). Nothing was published. Pass the right schema, or create the tables with migratePostgresOutbox of @hookwright/storage/postgres or \`hookwright migrate --outbox postgres://…\`.`,
      { cause },
    );
  if (hasSqlState(cause, "42703"))
    return new StorageError(
      "unavailable",
      `The table ${schema}.outbox is of an earlier version (${text}). Nothing was published. Migrate it with migratePostgresOutbox of @hookwright/storage/postgres or \`hookwright migrate --outbox postgres://…\`.`,
      { cause },
    );
  return cause;
}

/** Libraries wrap the errors of PostgreSQL. Prisma puts them under `meta`, and its own code in their place. */
function hasSqlState(error: unknown, ...states: readonly string[]): boolean {
  const seen = new Set<unknown>();
  const isIn = (part: unknown): boolean => {
    if (typeof part !== "object" || part === null || seen.has(part)) return false;
    seen.add(part);
    const { code, originalCode, cause, meta, driverAdapterError }: WrappedError = part;
    return (
      [code, originalCode].some((text) => typeof text === "string" && states.includes(text)) ||
      [cause, meta, driverAdapterError].some(isIn)
    );
  };
  return isIn(error);
}

type WrappedError = Partial<
  Record<"code" | "originalCode" | "cause" | "meta" | "driverAdapterError", unknown>
>;
