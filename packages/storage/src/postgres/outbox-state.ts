import type { OutboxState } from "../port.ts";
import { connect, type PostgresSource } from "./connect.ts";
import type { Link } from "./link.ts";

/** The age of a row of the outbox in seconds, as text. */
export const ageSeconds =
  "greatest(0::numeric, extract(epoch from pg_catalog.clock_timestamp() - created_at))::text";

/** Reads what waits in an outbox, and which session of PostgreSQL has the right to relay. */
export async function readOutboxState(link: Pick<Link, "read">, schema: string): Promise<OutboxState> {
  // A role without rights sees the session, but not its name and address.
  const [[id, seconds, session, program, address] = []] = await link.read(
    `select o.id::text, o.seconds, a.pid::text, a.application_name, pg_catalog.host(a.client_addr)
    from ${schema}.outbox_relay r
    left join lateral (
      select id, ${ageSeconds} as seconds from ${schema}.outbox order by id limit 1
    ) o on true
    left join pg_catalog.pg_stat_activity a on a.pid = r.session and r.until > pg_catalog.clock_timestamp()`,
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
      "select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'outbox_relay'",
      [schema],
    );
    return found.length === 0 ? undefined : await readOutboxState(link, schema);
  } finally {
    await link.settled();
    await release();
  }
}
