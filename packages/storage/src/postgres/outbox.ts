import { randomUUID } from "node:crypto";
import type { Outbox, OutboxRow, OutboxSession } from "../port.ts";
import { closedError } from "../commit/refusals.ts";
import { timeoutMs } from "./connect.ts";
import type { CheckedOut, Link } from "./link.ts";
import { isUnreadable, outboxColumns, toOutboxRow } from "./outbox-row.ts";
import { sleepLock } from "./outbox-schema.ts";
import { ageSeconds, readOutboxState } from "./outbox-state.ts";
import { readOver } from "./read-over.ts";
import { createRejectedRows } from "./rejected-rows.ts";
import { runStatement, type Parameter, type Row } from "./statement.ts";

/** The largest value of a store, so no larger event can be published. */
const maximumBytes = 16 * 1024 * 1024;
/** Of a row in a list of rejected rows. */
const listedBytes = 64 * 1024;
/** A read ends early after this many bytes. */
const bytesPerRead = 8 * 1024 * 1024;
/** As stored: a value that compresses well has a hundred times as much text. */
const storedBytesPerRead = 1024 * 1024;
/** Longer than for other statements, because a single value may have 256 MB of text. */
const readTimeoutMs = 15_000;
/** The lease of the right to relay. It outlasts the longest read. A session of the server that has ended frees it at once. */
const leaseSeconds = 30;
const renewalMs = 5_000;
/**
 * The session of a machine that is gone ends within about 20 s, and with it the lock that makes transactions notify. By default that
 * takes minutes to hours.
 */
const detectLostClients = `select pg_catalog.set_config('tcp_keepalives_idle', '5', false),
  pg_catalog.set_config('tcp_keepalives_interval', '5', false), pg_catalog.set_config('tcp_keepalives_count', '3', false),
  pg_catalog.set_config('tcp_user_timeout', '15000', false)`;
/** A read of rows one by one ends early after this time. */
const carefulReadMs = 2_000;

/** Creates the outbox of a schema whose tables exist. Closing the pool is left to the caller, after `endSessions`. */
export async function createOutbox(options: {
  readonly link: Link;
  readonly schema: string;
}): Promise<{ readonly outbox: Outbox; readonly endSessions: () => void }> {
  const { link, schema } = options;
  const table = `${schema}.outbox`;
  const sessions = new Set<OutboxSession>();
  let isClosed = false;
  /** Whether rows are read one by one, because the text of one may be too large for PostgreSQL. */
  const caution = { isCareful: false };
  // A restored copy of a database has the same `outbox_id`, but its server started at another time.
  const [[identity] = []] = await link.read(
    `select pg_catalog.concat_ws(' ', outbox_id, pg_catalog.current_database(), pg_catalog.pg_postmaster_start_time()) from ${schema}.outbox_migrations where version = 1`,
    [],
  );

  async function openSession({
    notify = true,
    onRows,
    onLost,
  }: Parameters<Outbox["openSession"]>[0]): Promise<OutboxSession | undefined> {
    if (isClosed) throw closedError();
    const checkedOut = await link.checkOut();
    const owner = randomUUID();
    let isAsleep = false;
    try {
      if (!(await lease(checkedOut, schema, owner))) {
        checkedOut.release(false);
        return undefined;
      }
      // Not without notifications: behind PgBouncer others would get the settings.
      if (notify) {
        await query(checkedOut, detectLostClients, []);
        await query(checkedOut, `listen ${schema}_outbox`, []);
        isAsleep = await tryLock(checkedOut, schema, sleepLock);
      }
    } catch (error) {
      checkedOut.release(true);
      throw link.toError(error);
    }
    const session = startSession(checkedOut, {
      link,
      schema,
      owner,
      caution,
      notify,
      isAsleep,
      onRows,
      onLost,
      onEnd: () => sessions.delete(session),
    });
    sessions.add(session);
    // The store was closed meanwhile.
    if (isClosed) endSessions();
    return session;
  }

  function endSessions(): void {
    isClosed = true;
    for (const session of sessions) session[Symbol.dispose]();
  }

  const outbox: Outbox = {
    identity: identity ?? "",
    schema,
    openSession,
    async reject(rejections) {
      await link.run(
        `with moved as (delete from ${table} where id = any ($1::bigint[]) returning *)
         insert into ${schema}.outbox_rejected (id, event, project_id, data, created_at, traceparent, event_id, code, message)
         select m.id, m.event, m.project_id, m.data, m.created_at, m.traceparent, m.event_id, r.code, r.message
         from moved m join unnest($1::bigint[], $2::text[], $3::text[]) as r (id, code, message) on r.id = m.id`,
        [
          rejections.map(({ id }) => id),
          rejections.map(({ code }) => toStorable(code)),
          rejections.map(({ message }) => toStorable(message)),
        ],
      );
    },
    rejected: createRejectedRows({ link, schema, maximumBytes, listedBytes }),
    async remove(ids) {
      await link.run(`delete from ${table} where id = any ($1::bigint[])`, [[...ids]]);
    },
    async removeOfProjects(projectIds) {
      for (const name of [table, `${schema}.outbox_rejected`])
        await link.run(`delete from ${name} where project_id = any ($1::text[])`, [[...projectIds]]);
    },
    readOver: (hostClient, key) => readOver(hostClient, schema, key),
    readState: () => readOutboxState(link, schema),
    async oldestSeconds() {
      const [[age] = []] = await link.read(`select ${ageSeconds} from ${table} order by id limit 1`, []);
      return Number(age ?? 0);
    },
  };
  return { outbox, endSessions };
}

/** A connection that has the right to relay. When it is lost or disposed, it is closed, which frees its locks. */
function startSession(
  checkedOut: CheckedOut,
  options: {
    readonly link: Link;
    readonly schema: string;
    /** The owner of the lease. */
    readonly owner: string;
    readonly caution: { isCareful: boolean };
    readonly notify: boolean;
    /** Whether it has the lock that makes transactions notify. */
    readonly isAsleep: boolean;
    readonly onRows: () => void;
    readonly onLost: () => void;
    readonly onEnd: () => void;
  },
): OutboxSession {
  const { link, schema, owner, caution, notify, onRows, onLost, onEnd } = options;
  const { client, release } = checkedOut;
  let isOpen = true;
  let isReading = false;
  let { isAsleep } = options;

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(renewal);
    client.off("notification", onRows);
    client.off("error", lose);
    client.off("end", lose);
    onEnd();
  }

  function lose(): void {
    if (!isOpen) return;
    end();
    release(true);
    onLost();
  }

  function dispose(): void {
    if (!isOpen) return;
    end();
    if (isReading) return release(true);
    // Behind PgBouncer the session of the server goes on, and so would the lease.
    query(checkedOut, `update ${schema}.outbox_relay set until = null where owner = $1::uuid`, [owner])
      .catch(() => {})
      .finally(() => release(true));
  }

  async function renew(): Promise<void> {
    // It would wait behind the read. The lease outlasts that.
    if (!isReading && !(await lease(checkedOut, schema, owner))) lose();
  }

  async function readPage(after: string, limit: number): Promise<OutboxRow[]> {
    const values = [after, limit, maximumBytes, bytesPerRead, storedBytesPerRead];
    return (await query(checkedOut, readRows(schema), values, readTimeoutMs)).map(toOutboxRow);
  }

  /** Rows whose text cannot be built are returned without it. */
  async function readOneByOne(after: string, limit: number): Promise<OutboxRow[]> {
    const endsAt = performance.now() + carefulReadMs;
    const rows: OutboxRow[] = [];
    let size = 0;
    let isSafe = true;
    for (let last = after; rows.length < limit && size < bytesPerRead && performance.now() < endsAt;) {
      const [row] = await readPage(last, 1).catch(async (error: unknown) => {
        if (!isUnreadable(error)) throw error;
        isSafe = false;
        return (await query(checkedOut, readNames(schema), [last])).map(toOutboxRow);
      });
      if (row === undefined) break;
      rows.push(row);
      size += row.data?.length ?? 0;
      last = row.id;
    }
    caution.isCareful = !isSafe;
    return rows;
  }

  const renewal = setInterval(() => void renew().catch(lose), renewalMs).unref();
  client.on("notification", onRows);
  client.on("error", lose);
  client.on("end", lose);
  return {
    maximumBytes,
    async read({ after, limit, isAwake = false }) {
      if (!isOpen) throw closedError();
      isReading = true;
      try {
        // Before the read, so that each row is either read or notified. If somebody has the lock, the next read tries again.
        if (notify && !isAwake && !isAsleep) isAsleep = await tryLock(checkedOut, schema, sleepLock);
        const reading = caution.isCareful ? readOneByOne(after, limit) : readPage(after, limit);
        if (isAwake && isAsleep) {
          isAsleep = false;
          // It waits behind the read, which is urgent.
          query(checkedOut, unlock, [schema]).catch(lose);
        }
        return await reading.catch((error: unknown) => {
          // Several such rows may also take too long. Then the next session reads them one by one.
          caution.isCareful = true;
          if (isUnreadable(error)) return readOneByOne(after, limit);
          throw error;
        });
      } catch (error) {
        lose();
        throw link.toError(error);
      } finally {
        isReading = false;
      }
    },
    [Symbol.dispose]: dispose,
  };
}

/**
 * The inner queries find the rows by the primary key and stop at a stored size, which costs no decompression. The outer ones
 * build the text of their data, unless it is too large before that: `#> '{}'` decompresses it only. The order must name the
 * table, because the result has a text of the same name. Operators have the exact types of PostgreSQL's own, see
 * `docs/decisions/postgres-layout.md`.
 */
function readRows(schema: string): string {
  return `select ${outboxColumns("case when size <= $3::bigint then data::text end")}
    from (
      select page.*, pg_catalog.sum(case when size <= $3::bigint then size else 0::bigint end) over (order by page.id)::bigint as total
      from (
        select stored.*, case
            when bytes > 4::bigint * $3::bigint then bytes
            when bytes > $3::bigint / 256::bigint and pg_catalog.pg_column_size(data #> '{}'::text[])::bigint > $3::bigint then 2::bigint * $3::bigint
            else pg_catalog.octet_length(data::text)::bigint end as size
        from (
          select o.*, pg_catalog.sum(bytes) over (order by o.id)::bigint as total_bytes
          from (
            select o.*, (pg_catalog.pg_column_size(data) + pg_catalog.pg_column_size(event) + pg_catalog.pg_column_size(project_id))::bigint as bytes
            from ${schema}.outbox o where o.id > $1::bigint order by o.id limit $2::bigint
          ) o
        ) stored
        where total_bytes - bytes < $5::bigint
      ) page
    ) sized
    where total - size < $4::bigint or size > $3::bigint
    order by sized.id`;
}

/** The first row without its data. */
function readNames(schema: string): string {
  return `select ${outboxColumns("null")}
    from ${schema}.outbox o where o.id > $1::bigint order by o.id limit 1`;
}

/** Takes or renews the right to relay. Of two relays at once, each row is still published once, and in its order. */
async function lease(checkedOut: CheckedOut, schema: string, owner: string): Promise<boolean> {
  const rows = await query(
    checkedOut,
    `update ${schema}.outbox_relay r set owner = $1::uuid, session = pg_catalog.pg_backend_pid(),
       until = pg_catalog.clock_timestamp() + interval '${leaseSeconds} seconds'
     where r.owner = $1::uuid or r.until is null or r.until < pg_catalog.clock_timestamp()
       or not exists (select from pg_catalog.pg_stat_activity a where a.pid = r.session)
     returning r.id`,
    [owner],
  );
  return rows.length > 0;
}

async function tryLock(checkedOut: CheckedOut, schema: string, number: number): Promise<boolean> {
  const locking = "select pg_catalog.pg_try_advisory_lock(pg_catalog.hashtext($1::text), $2::int)::text";
  const [[isFree] = []] = await query(checkedOut, locking, [schema, number]);
  return isFree === "true";
}

const unlock = `select pg_catalog.pg_advisory_unlock(pg_catalog.hashtext($1::text), ${sleepLock})`;

function query(
  { client }: CheckedOut,
  text: string,
  values: readonly Parameter[],
  withinMs = timeoutMs,
): Promise<readonly Row[]> {
  return runStatement(client, text, values, withinMs);
}

/** PostgreSQL stores neither U+0000 nor lone surrogates. A message may quote them. */
function toStorable(text: string): string {
  return text.replaceAll("\0", "\u{fffd}").toWellFormed();
}
