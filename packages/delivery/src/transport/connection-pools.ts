import { createDeadlines } from "./deadlines.ts";
import type { Timed } from "./deadlines.ts";
import { createReuseHistory } from "./reuse-history.ts";

/** Node's own servers close an idle connection after 5 s. Closing it a second earlier avoids most races. */
const idleLimitMs = 4_000;
/** A failure after this many reused connections in a row have worked is treated as the first one. */
const forgivenAfter = 1_000;

/** The open connections of one account to one origin. */
export interface ConnectionPool<Connection> {
  readonly account: Account<Connection>;
  readonly origin: string;
  /** Names the pool in the history of failures, which outlives it. */
  readonly key: string;
  /** Connections in use and idle ones. */
  size: number;
  /** The longest idle first. */
  readonly idle: Connection[];
  /** Reused connections that worked since the last failure. */
  reuses: number;
  /** The only reused connection in use, as long as none has worked yet. */
  trial: Connection | undefined;
}

export interface Pooled<Connection> extends Timed<Connection> {
  readonly pool: ConnectionPool<Connection>;
  readonly socket: { destroy(): unknown };
  /** Whether it has served an earlier request. */
  isReused: boolean;
}

interface Account<Connection> {
  readonly id: string;
  /** By origin. */
  readonly pools: Map<string, ConnectionPool<Connection>>;
  idle: number;
}

/**
 * Keeps idle connections for the next request of the same account to the same origin. Accounts share no connection:
 * bytes that one account's receiver leaves behind are never read as the response to another account.
 *
 * Reuse is tried with one connection first, because some receivers ignore or break the second request of a connection.
 * After several failures it stops for an hour.
 */
export function createConnectionPools<Connection extends Pooled<Connection>>({
  maximumIdle,
}: {
  /** Over all accounts: ten thousand receivers must not cost ten thousand open sockets. */
  readonly maximumIdle: number;
}) {
  const accounts = new Map<string, Account<Connection>>();
  const history = createReuseHistory();
  const deadlines = createDeadlines<Connection>({ onDue: destroyIdle, keepsProcess: false });
  let idleCount = 0;

  /** Counts a new connection. {@link remove} must follow when it has ended. */
  function open(accountId: string, origin: string): ConnectionPool<Connection> {
    let account = accounts.get(accountId);
    if (account === undefined)
      accounts.set(accountId, (account = { id: accountId, pools: new Map(), idle: 0 }));
    let pool = account.pools.get(origin);
    if (pool === undefined) {
      const key = `${accountId} ${origin}`;
      pool = { account, origin, key, size: 0, idle: [], reuses: 0, trial: undefined };
      account.pools.set(origin, pool);
    }
    pool.size += 1;
    return pool;
  }

  /** The idle connection that was used last. */
  function take(accountId: string, origin: string, now = performance.now()): Connection | undefined {
    const pool = accounts.get(accountId)?.pools.get(origin);
    if (pool === undefined || pool.trial !== undefined) return undefined;
    const connection = pool.idle.pop();
    if (connection === undefined) return undefined;
    pool.account.idle -= 1;
    idleCount -= 1;
    deadlines.end(connection);
    if (connection.deadline.dueAt <= now) {
      connection.socket.destroy();
      return undefined;
    }
    connection.isReused = true;
    if (pool.reuses === 0) pool.trial = connection;
    return connection;
  }

  function put(connection: Connection, keepAlive: string | undefined, now = performance.now()): void {
    const { pool } = connection;
    const limitMs =
      keepAlive === undefined ? idleLimitMs : Math.min(idleLimitMs, advertisedMs(keepAlive) - 1_000);
    if (limitMs <= 0 || history.forbidsReuse(pool.key, now)) return void connection.socket.destroy();
    if (idleCount >= maximumIdle) evict();
    pool.idle.push(connection);
    pool.account.idle += 1;
    idleCount += 1;
    deadlines.begin(connection, now, limitMs);
  }

  /** A response has begun on a reused connection. */
  function reuseWorked({ pool }: Connection): void {
    pool.reuses += 1;
    pool.trial = undefined;
  }

  /** A reused connection broke before the response, stayed silent, or sent something else. */
  function reuseFailed({ pool }: Connection, sentAt: number, now = performance.now()): void {
    if (pool.reuses >= forgivenAfter) history.forget(pool.key);
    history.addFailure(pool.key, sentAt, now);
    pool.reuses = 0;
    // They may be as dead as this one. Trying each of them would count as one more failure each.
    for (let idle = pool.idle.at(-1); idle !== undefined; idle = pool.idle.at(-1)) {
      deadlines.end(idle);
      destroyIdle(idle);
    }
  }

  /** A connection has ended, idle or in use. */
  function remove(connection: Connection): void {
    if (deadlines.end(connection)) leaveIdle(connection);
    const { pool } = connection;
    if (pool.trial === connection) pool.trial = undefined;
    pool.size -= 1;
    if (pool.size > 0) return;
    const { id, pools } = pool.account;
    pools.delete(pool.origin);
    if (pools.size === 0) accounts.delete(id);
  }

  /** Closes the longest idle connection of the account that has the most, so that one account cannot displace the others. */
  function evict(): void {
    let largest: Account<Connection> | undefined;
    for (const account of accounts.values()) {
      if (largest === undefined || account.idle > largest.idle) largest = account;
    }
    let longestIdle: Connection | undefined;
    for (const { idle } of largest?.pools.values() ?? []) {
      const [first] = idle;
      if (first === undefined) continue;
      if (longestIdle === undefined || first.deadline.dueAt < longestIdle.deadline.dueAt) longestIdle = first;
    }
    if (longestIdle === undefined) return;
    deadlines.end(longestIdle);
    destroyIdle(longestIdle);
  }

  function destroyIdle(connection: Connection): void {
    leaveIdle(connection);
    connection.socket.destroy();
  }

  function leaveIdle(connection: Connection): void {
    const { account, idle } = connection.pool;
    const place = idle.indexOf(connection);
    if (place === -1) return;
    idle.splice(place, 1);
    account.idle -= 1;
    idleCount -= 1;
  }

  function close(): void {
    for (const { pools } of accounts.values()) {
      for (const { idle } of pools.values()) for (const { socket } of idle) socket.destroy();
    }
    deadlines.close();
    accounts.clear();
    idleCount = 0;
  }

  return { open, take, put, reuseWorked, reuseFailed, remove, close };
}

/** `Keep-Alive: timeout=5`, in milliseconds. Without a time-out the receiver promises nothing. */
function advertisedMs(keepAlive: string): number {
  const seconds = /timeout=(\d{1,6})/iu.exec(keepAlive)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000;
}
