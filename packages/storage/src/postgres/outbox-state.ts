import type { OutboxState } from "../port.ts";
import { connect, type PostgresSource } from "./connect.ts";
import type { Link } from "./link.ts";
import { relayLock } from "./outbox-schema.ts";

/** Reads what waits in an outbox, and which session of PostgreSQL has the right to relay. */
export async function readOutboxState(link: Pick<Link, "read">, schema: string): Promise<OutboxState> {
  // The parts of an advisory lock are unsigned there. A role without rights sees the session, but not its name and address.
  const [[id, seconds, session, program, address] = []] = await link.read(
    `select o.id::text, greatest(0, extract(epoch from clock_timestamp() - o.created_at))::text, l.pid::text, a.application_name, host(a.client_addr)
    from (select) one
    left join lateral (select id, created_at from ${schema}.outbox order by id limit 1) o on true
    left join pg_locks l on l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.objid = ${relayLock}
      and l.classid = ((hashtext('${schema}')::bigint + 4294967296) % 4294967296)::oid
      and l.database = (select oid from pg_database where datname = current_database())
    left join pg_stat_activity a on a.pid = l.pid
    limit 1`,
    [],
  );
  return {
    oldest: typeof id === "string" ? { id, seconds: Number(seconds) } : undefined,
    relay:
      typeof session === "string"
        ? { session, program: program ?? undefined, address: address ?? undefined }
        : undefined,
  };
}

/**
 * Reads the state of an outbox, and creates nothing. Returns `undefined` if the schema has no outbox yet.
 *
 * @throws {StorageError} `missing_dependency`, `invalid_argument`, `unavailable`
 * @example
 * const state = await readPostgresOutboxState({ url: "postgres://app:secret@127.0.0.1:5432/shop" });
 */
export async function readPostgresOutboxState(source: PostgresSource): Promise<OutboxState | undefined> {
  const { link, schema, release } = await connect(source);
  try {
    const found = await link.read(
      "select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'outbox'",
      [schema],
    );
    return found.length === 0 ? undefined : await readOutboxState(link, schema);
  } finally {
    await link.settled();
    await release();
  }
}
