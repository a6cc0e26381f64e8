import { createDeadlines } from "./deadlines.ts";
import type { Timed } from "./deadlines.ts";

/** Node's own servers close an idle connection after 5 s: giving it back a second earlier avoids most races. */
const idleLimitMs = 4_000;

interface Idle<Connection> extends Timed<Connection> {
  readonly origin: string;
  readonly socket: { destroy(): unknown };
}

/**
 * Connections that wait for the next delivery to the same origin, each for a few seconds. Within an origin the last
 * in is the first out; over all of them the longest idle one makes room, so that many quiet
 * receivers cannot take a busy one's connections away.
 */
export function createIdleConnections<Connection extends Idle<Connection>>({
  maximumIdle,
}: {
  /** Over all origins: ten thousand receivers must not cost ten thousand open sockets. */
  readonly maximumIdle: number;
}) {
  /** An empty one is kept while its connections are in use and come back, so that a busy origin does not make a new one for each delivery. */
  const byOrigin = new Map<string, Connection[]>();
  const deadlines = createDeadlines<Connection>({ onDue: destroy, keepsProcess: false });
  let count = 0;

  function take(origin: string, now = performance.now()): Connection | undefined {
    const connection = byOrigin.get(origin)?.pop();
    if (connection === undefined) return undefined;
    count -= 1;
    deadlines.end(connection);
    if (connection.deadline.dueAt > now) return connection;
    connection.socket.destroy();
    return undefined;
  }

  function put(connection: Connection, keepAlive: string | undefined, now = performance.now()): void {
    const limitMs =
      keepAlive === undefined ? idleLimitMs : Math.min(idleLimitMs, advertisedMs(keepAlive) - 1_000);
    if (limitMs <= 0) return void connection.socket.destroy();
    if (count >= maximumIdle) makeRoom();
    const { origin } = connection;
    const stack = byOrigin.get(origin);
    if (stack === undefined) byOrigin.set(origin, [connection]);
    else stack.push(connection);
    count += 1;
    deadlines.begin(connection, now, limitMs);
  }

  function makeRoom(): void {
    const oldest = deadlines.oldest();
    if (oldest === undefined) return;
    deadlines.end(oldest);
    destroy(oldest);
  }

  /** Of a connection that has ended, idle or in use. */
  function remove(connection: Connection): void {
    if (deadlines.end(connection)) leaveStack(connection);
    else forgetEmpty(connection.origin);
  }

  function destroy(connection: Connection): void {
    leaveStack(connection);
    connection.socket.destroy();
  }

  function leaveStack(connection: Connection): void {
    const stack = byOrigin.get(connection.origin);
    const place = stack?.indexOf(connection) ?? -1;
    if (place === -1) return;
    stack?.splice(place, 1);
    count -= 1;
    forgetEmpty(connection.origin);
  }

  function forgetEmpty(origin: string): void {
    if (byOrigin.get(origin)?.length === 0) byOrigin.delete(origin);
  }

  function close(): void {
    for (const stack of byOrigin.values()) for (const { socket } of stack) socket.destroy();
    deadlines.close();
    byOrigin.clear();
    count = 0;
  }

  return { take, put, remove, close };
}

/** `Keep-Alive: timeout=5`, in milliseconds; without it nothing is promised and the default holds. */
function advertisedMs(keepAlive: string): number {
  const seconds = /timeout=(\d{1,6})/iu.exec(keepAlive)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000;
}
