import type { Outbox, OutboxRow, OutboxSession } from "../port.ts";
import { closedError } from "../commit/refusals.ts";
import { timeoutMs } from "./connect.ts";
import type { CheckedOut, Link } from "./link.ts";
import { relayLock, sleepLock } from "./outbox-schema.ts";
import { readOutboxState } from "./outbox-state.ts";
import { readOver } from "./read-over.ts";
import { runStatement, type Parameter, type Row } from "./statement.ts";

/** The largest value of a store, so no larger event can be published. */
const maximumBytes = 16 * 1024 * 1024;
/** A read ends early after this many bytes. */
const bytesPerRead = 8 * 1024 * 1024;
/** As stored: a value that compresses well has a hundred times as much text. */
const storedBytesPerRead = 1024 * 1024;
/** Longer than for other statements, because a single value may have 256 MB of text. */
const readTimeoutMs = 15_000;
/** No event and no site has a longer name. */
const maximumNameLength = 1_000;
/** Of a W3C `traceparent`. */
const traceParentLength = 55;
/** The server frees the lock of a host that is gone within about 20 s. By default it takes minutes to hours. */
const detectLostClients = `select set_config('tcp_keepalives_idle', '5', false),
  set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false),
  set_config('tcp_user_timeout', '15000', false)`;

/** Creates the outbox of a schema whose tables exist. Closing the pool is left to the caller, after `endSessions`. */
export async function createOutbox(options: {
  readonly link: Link;
  readonly schema: string;
}): Promise<{ readonly outbox: Outbox; readonly endSessions: () => void }> {
  const { link, schema } = options;
  const table = `${schema}.outbox`;
  const sessions = new Set<OutboxSession>();
  let isClosed = false;
  // A restored copy of a database has the same `outbox_id`, but its server started at another time.
  const [[identity] = []] = await link.read(
    `select concat_ws(' ', outbox_id, current_database(), pg_postmaster_start_time()) from ${schema}.outbox_migrations where version = 1`,
    [],
  );

  async function openSession({
    notify = true,
    onRows,
    onLost,
  }: Parameters<Outbox["openSession"]>[0]): Promise<OutboxSession | undefined> {
    if (isClosed) throw closedError();
    const checkedOut = await link.checkOut();
    let isAsleep = false;
    try {
      if (!(await tryLock(checkedOut, schema, relayLock))) {
        checkedOut.release(false);
        return undefined;
      }
      await query(checkedOut, detectLostClients, []);
      if (notify) {
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
         insert into ${schema}.outbox_rejected (id, event, project_id, data, created_at, traceparent, code, message)
         select m.id, m.event, m.project_id, m.data, m.created_at, m.traceparent, r.code, r.message
         from moved m join unnest($1::bigint[], $2::text[], $3::text[]) as r (id, code, message) on r.id = m.id`,
        [
          rejections.map(({ id }) => id),
          rejections.map(({ code }) => toStorable(code)),
          rejections.map(({ message }) => toStorable(message)),
        ],
      );
    },
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
      const [[age] = []] = await link.read(
        `select greatest(0, extract(epoch from clock_timestamp() - created_at))::text from ${table} order by id limit 1`,
        [],
      );
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
    readonly notify: boolean;
    /** Whether it has the lock that makes transactions notify. */
    readonly isAsleep: boolean;
    readonly onRows: () => void;
    readonly onLost: () => void;
    readonly onEnd: () => void;
  },
): OutboxSession {
  const { link, schema, notify, onRows, onLost, onEnd } = options;
  const { client, release } = checkedOut;
  let isOpen = true;
  let { isAsleep } = options;

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    client.off("notification", onRows);
    client.off("error", lose);
    client.off("end", lose);
    release(true);
    onEnd();
  }

  function lose(): void {
    if (!isOpen) return;
    end();
    onLost();
  }

  client.on("notification", onRows);
  client.on("error", lose);
  client.on("end", lose);
  return {
    maximumBytes,
    async read({ after, limit, isAwake = false }) {
      if (!isOpen) throw closedError();
      try {
        // Before the read, so that each row is either read or notified. If somebody has the lock, the next read tries again.
        if (notify && !isAwake && !isAsleep) isAsleep = await tryLock(checkedOut, schema, sleepLock);
        const values = [after, limit, maximumBytes, bytesPerRead, maximumNameLength, storedBytesPerRead];
        const reading = query(checkedOut, readRows(schema), values, readTimeoutMs);
        if (isAwake && isAsleep) {
          isAsleep = false;
          // It waits behind the read, which is urgent.
          query(checkedOut, `select pg_advisory_unlock(hashtext($1), ${sleepLock})`, [schema]).catch(lose);
        }
        return (await reading).map(toOutboxRow);
      } catch (error) {
        lose();
        throw link.toError(error);
      }
    },
    [Symbol.dispose]: end,
  };
}

/**
 * The inner queries find the rows by the primary key and stop at a stored size, which costs no decompression. The outer ones
 * decompress their data up to the limit. The order must name the table, because the result has a text of the same name.
 */
function readRows(schema: string): string {
  return `select id::text, left(event, $5), left(project_id, $5), case when size <= $3 then data::text end, left(traceparent, ${traceParentLength})
    from (
      select page.*, sum(case when size <= $3 then size else 0 end) over (order by page.id) as total
      from (
        select stored.*, case when bytes > 4 * $3::bigint then bytes else octet_length(data::text) end as size
        from (
          select o.*, sum(bytes) over (order by o.id) as total_bytes
          from (
            select o.*, pg_column_size(data) + pg_column_size(event) + pg_column_size(project_id) as bytes
            from ${schema}.outbox o where o.id > $1::bigint order by o.id limit $2
          ) o
        ) stored
        where total_bytes - bytes < $6
      ) page
    ) sized
    where total - size < $4::bigint or size > $3
    order by sized.id`;
}

function toOutboxRow([id, event, projectId, data, traceParent]: Row): OutboxRow {
  return {
    id: id ?? "",
    event: event ?? "",
    projectId: projectId ?? "",
    data: data ?? undefined,
    traceParent: traceParent ?? undefined,
  };
}

async function tryLock(checkedOut: CheckedOut, schema: string, number: number): Promise<boolean> {
  const locking = "select pg_try_advisory_lock(hashtext($1), $2)::text";
  const [[isFree] = []] = await query(checkedOut, locking, [schema, number]);
  return isFree === "true";
}

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
