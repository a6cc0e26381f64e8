import { createAccountShares } from "./account-shares.ts";
import type { Deadline } from "./deadline.ts";

/** Node's own servers close an idle connection after 5 s. Closing it a second earlier avoids most races. */
const idleLimitMs = 4_000;

const hourMs = 3_600_000;
/** After this many failures within an hour, the pool reuses no connection for an hour. */
const maximumFailures = 3;
/** After this many reused connections that worked, earlier failures are forgotten. */
const forgivenAfter = 1_000;
/** About a megabyte. */
const maximumRemembered = 10_000;

export interface PooledConnection<Connection> {
  readonly pool: ConnectionPool<Connection>;
  readonly socket: { destroy(): unknown };
  /** Whether it has served an earlier request. */
  isReused: boolean;
  /** While it is idle, the end of its idle time. */
  readonly deadline: Deadline;
}

/** The open connections of one account to one origin. */
export interface ConnectionPool<Connection> {
  readonly account: Account<Connection>;
  readonly origin: string;
  /** In the history of failures, which outlives the pool. */
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

interface Account<Connection> {
  readonly id: string;
  /** By origin. */
  readonly pools: Map<string, ConnectionPool<Connection>>;
  /** Of all its pools, the longest idle first. */
  readonly idle: Set<Connection>;
}

/**
 * Keeps idle connections for the next request of the same account to the same origin. Accounts share no connection, so bytes
 * that one account's receiver leaves behind are never read as the response to another account.
 *
 * Reuse starts with one connection, because some receivers ignore or break the second request of a connection.
 *
 * @param maximumIdle over all accounts
 */
export function createConnectionPools<Connection extends PooledConnection<Connection>>(maximumIdle: number) {
  const accounts = new Map<string, Account<Connection>>();
  /** When reused connections have failed, by pool. The pool that failed longest ago comes first. */
  const failuresOf = new Map<string, readonly number[]>();
  /** Of the idle connections. */
  const shares = createAccountShares<Account<Connection>>();
  let idleCount = 0;

  /** Counts a new connection. {@link remove} must follow when it has ended. */
  function open(accountId: string, origin: string): ConnectionPool<Connection> {
    let account = accounts.get(accountId);
    if (account === undefined)
      accounts.set(accountId, (account = { id: accountId, pools: new Map(), idle: new Set() }));
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
  function take(accountId: string, origin: string): Connection | undefined {
    const pool = accounts.get(accountId)?.pools.get(origin);
    if (pool === undefined || pool.trial !== undefined) return undefined;
    const connection = pool.idle.at(-1);
    if (connection === undefined) return undefined;
    const isOver = connection.deadline.dueAt <= performance.now();
    leaveIdle(connection);
    if (isOver) return void connection.socket.destroy();
    connection.isReused = true;
    if (pool.reuses === 0) pool.trial = connection;
    return connection;
  }

  /** @param keepAlive the header of the last response */
  function put(connection: Connection, keepAlive: string | undefined): void {
    const { pool } = connection;
    const limitMs = Math.min(idleLimitMs, advertisedMs(keepAlive) - 1_000);
    if (limitMs <= 0 || forbidsReuse(pool)) return void connection.socket.destroy();
    if (idleCount >= maximumIdle) evict();
    pool.idle.push(connection);
    pool.account.idle.add(connection);
    countIdle(pool.account, 1);
    connection.deadline.set(performance.now() + limitMs, false);
  }

  function forbidsReuse({ key }: ConnectionPool<Connection>): boolean {
    const failures = failuresOf.get(key) ?? [];
    return failures.length >= maximumFailures && performance.now() - (failures.at(-1) ?? 0) < hourMs;
  }

  /** A response has begun on a reused connection. */
  function reuseWorked({ pool }: Connection): void {
    pool.reuses += 1;
    pool.trial = undefined;
  }

  /** A reused connection broke before the response, stayed silent, or sent something else. */
  function reuseFailed({ pool }: Connection, sentAt: number): void {
    const now = performance.now();
    if (pool.reuses >= forgivenAfter) failuresOf.delete(pool.key);
    pool.reuses = 0;
    const failures = failuresOf.get(pool.key) ?? [];
    // Requests that were in progress at the last failure are part of the same incident.
    if (sentAt >= (failures.at(-1) ?? 0)) {
      failuresOf.delete(pool.key);
      for (const oldest of failuresOf.keys()) {
        if (failuresOf.size < maximumRemembered) break;
        failuresOf.delete(oldest);
      }
      failuresOf.set(pool.key, [...failures.filter((at) => now - at < hourMs), now]);
    }
    // The others may be as dead as this one. Each of them would count as one more failure.
    for (let idle = pool.idle.at(-1); idle !== undefined; idle = pool.idle.at(-1)) destroyIdle(idle);
  }

  /** A connection has ended, idle or in use. */
  function remove(connection: Connection): void {
    leaveIdle(connection);
    const { pool } = connection;
    if (pool.trial === connection) pool.trial = undefined;
    pool.size -= 1;
    if (pool.size > 0) return;
    const { id, pools } = pool.account;
    pools.delete(pool.origin);
    if (pools.size === 0) accounts.delete(id);
  }

  /** Closes the longest idle connection of the account that has the most. */
  function evict(): void {
    const [longestIdle] = shares.largest()?.idle ?? [];
    if (longestIdle !== undefined) destroyIdle(longestIdle);
  }

  /** One more or one less of the connections of an account is idle. */
  function countIdle(account: Account<Connection>, change: 1 | -1): void {
    const { size } = account.idle;
    idleCount += change;
    shares.change(account, { before: size - change, now: size });
  }

  function destroyIdle(connection: Connection): void {
    leaveIdle(connection);
    connection.socket.destroy();
  }

  function leaveIdle(connection: Connection): void {
    const { account, idle } = connection.pool;
    if (!account.idle.delete(connection)) return;
    connection.deadline.clear();
    idle.splice(idle.lastIndexOf(connection), 1);
    countIdle(account, -1);
  }

  return { open, take, put, reuseWorked, reuseFailed, remove };
}

/** `Keep-Alive: timeout=5`, in milliseconds. Without a time-out the receiver promises nothing. */
function advertisedMs(keepAlive: string | undefined): number {
  const seconds = /timeout=(\d{1,6})/iu.exec(keepAlive ?? "")?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000;
}
