import { encodeKey } from "../keys/key-codec.ts";
import type { HostClient, Key, Outbox } from "../port.ts";

/**
 * Reads a value in a transaction of a host. A statement that fails would abort the transaction, so the first one asks whether
 * the second one is allowed. Neither locks a row.
 */
export async function readOver(client: HostClient, schema: string, key: Key): ReturnType<Outbox["readOver"]> {
  const allowed = toRows(await client.query(mayRead(schema), []));
  if (allowed === undefined || allowed.length === 0) return undefined;
  const encoded = Buffer.from(encodeKey(key), "latin1").toString("hex");
  const [row] = toRows(await client.query(readValue(schema), [encoded])) ?? [];
  if (row === undefined) return { value: undefined };
  return hasValue(row) ? { value: Buffer.from(row.value, "hex").toString("utf8") } : undefined;
}

/** An older snapshot than that of the statement may lack the newest rows. */
function mayRead(schema: string): string {
  return `select 1 as allowed from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = '${schema}' and c.relname = 'rows'
      and pg_catalog.current_setting('transaction_isolation') like 'read %'
      and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_table_privilege(c.oid, 'select')
      and not pg_catalog.row_security_active(c.oid)`;
}

function readValue(schema: string): string {
  return `select pg_catalog.encode(value, 'hex') as value from ${schema}.rows
    where key = pg_catalog.decode($1::text, 'hex') and (expires_at is null
      or expires_at > extract(epoch from pg_catalog.clock_timestamp())::float8 * 1000::float8)`;
}

/** The rows of a result: of `pg` and Kysely in a field, of Prisma and postgres.js as an array. */
function toRows(result: unknown): readonly unknown[] | undefined {
  if (Array.isArray(result)) return result;
  if (typeof result !== "object" || result === null || !("rows" in result)) return undefined;
  return Array.isArray(result.rows) ? result.rows : undefined;
}

function hasValue(row: unknown): row is { readonly value: string } {
  return typeof row === "object" && row !== null && "value" in row && typeof row.value === "string";
}
