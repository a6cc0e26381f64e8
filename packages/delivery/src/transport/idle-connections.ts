/** Node's own servers close an idle connection after 5 s: giving it back a second earlier avoids most races. */
const idleLimitMs = 4_000;

interface Idle<Connection> {
  readonly origin: string;
  readonly connection: Connection;
  readonly until: number;
}

/**
 * Connections that wait for the next delivery to the same origin, each for a few seconds. Within an origin the last
 * in is the first out; over all of them the longest idle one makes room, so that many quiet
 * receivers cannot take a busy one's connections away.
 */
export function createIdleConnections<Connection extends { readonly socket: { destroy(): unknown } }>({
  maximumIdle,
}: {
  /** Over all origins: ten thousand receivers must not cost ten thousand open sockets. */
  readonly maximumIdle: number;
}) {
  const byOrigin = new Map<string, Idle<Connection>[]>();
  /** In the order they came. */
  const entries = new Map<Connection, Idle<Connection>>();
  const sweep = setInterval(dropExpired, 1_000);
  sweep.unref();

  function take(origin: string): Connection | undefined {
    const last = byOrigin.get(origin)?.at(-1);
    if (last === undefined) return undefined;
    remove(last.connection);
    if (last.until > performance.now()) return last.connection;
    last.connection.socket.destroy();
    return undefined;
  }

  function put(origin: string, connection: Connection, keepAlive: string | undefined): void {
    const limitMs =
      keepAlive === undefined ? idleLimitMs : Math.min(idleLimitMs, advertisedMs(keepAlive) - 1_000);
    if (limitMs <= 0) return void connection.socket.destroy();
    if (entries.size >= maximumIdle) dropOldest();
    const entry = { origin, connection, until: performance.now() + limitMs };
    entries.set(connection, entry);
    const stack = byOrigin.get(origin);
    if (stack === undefined) byOrigin.set(origin, [entry]);
    else stack.push(entry);
  }

  function remove(connection: Connection): void {
    const entry = entries.get(connection);
    if (entry === undefined) return;
    entries.delete(connection);
    const stack = byOrigin.get(entry.origin);
    if (stack === undefined) return;
    if (stack.at(-1) === entry) stack.pop();
    else stack.splice(stack.indexOf(entry), 1);
  }

  function dropOldest(): void {
    for (const connection of entries.keys()) {
      remove(connection);
      connection.socket.destroy();
      return;
    }
  }

  function dropExpired(): void {
    const now = performance.now();
    for (const { connection, until } of entries.values()) {
      if (until > now) continue;
      remove(connection);
      connection.socket.destroy();
    }
    // Empty stacks are kept for a second, so that a busy origin does not make a new one for every delivery.
    for (const [origin, stack] of byOrigin) if (stack.length === 0) byOrigin.delete(origin);
  }

  function close(): void {
    clearInterval(sweep);
    for (const connection of entries.keys()) connection.socket.destroy();
    entries.clear();
    byOrigin.clear();
  }

  return { take, put, remove, close };
}

/** `Keep-Alive: timeout=5`, in milliseconds; without it nothing is promised and the default holds. */
function advertisedMs(keepAlive: string): number {
  const seconds = /timeout=(\d{1,6})/iu.exec(keepAlive)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000;
}
