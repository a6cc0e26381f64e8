/** Node's own servers close an idle connection after 5 s: giving it back a second earlier avoids most races. */
const idleLimitMs = 4_000;
const maximumIdle = 1_024;

interface Idle<Connection> {
  readonly connection: Connection;
  readonly until: number;
}

/** Connections that wait for the next delivery to the same origin: last in, first out, each for a few seconds. */
export function createIdleConnections<Connection extends { readonly socket: { destroy(): unknown } }>() {
  const byOrigin = new Map<string, Idle<Connection>[]>();
  let count = 0;

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [origin, stack] of byOrigin) {
      const fresh = stack.filter(({ connection, until }) => {
        if (until > now) return true;
        connection.socket.destroy();
        return false;
      });
      count -= stack.length - fresh.length;
      if (fresh.length === 0) byOrigin.delete(origin);
      else byOrigin.set(origin, fresh);
    }
  }, 1_000);
  sweep.unref();

  return {
    take(origin: string): Connection | undefined {
      const stack = byOrigin.get(origin);
      const last = stack?.pop();
      if (last === undefined) return undefined;
      count -= 1;
      if (last.until > performance.now()) return last.connection;
      // The last one in is the freshest: the others have run out as well, and the sweep takes them.
      last.connection.socket.destroy();
      return undefined;
    },
    put(origin: string, connection: Connection, keepAlive: string | undefined): void {
      const limitMs = Math.min(idleLimitMs, advertisedMs(keepAlive) - 1_000);
      if (limitMs <= 0 || count >= maximumIdle) return void connection.socket.destroy();
      const stack = byOrigin.get(origin);
      const entry = { connection, until: performance.now() + limitMs };
      if (stack === undefined) byOrigin.set(origin, [entry]);
      else stack.push(entry);
      count += 1;
    },
    remove(origin: string, connection: Connection): void {
      const stack = byOrigin.get(origin);
      const index = stack?.findIndex((entry) => entry.connection === connection) ?? -1;
      if (index === -1) return;
      stack?.splice(index, 1);
      count -= 1;
    },
    close(): void {
      clearInterval(sweep);
      for (const stack of byOrigin.values()) for (const { connection } of stack) connection.socket.destroy();
      byOrigin.clear();
    },
  };
}

/** `Keep-Alive: timeout=5`, in milliseconds; without it nothing is promised and the default holds. */
function advertisedMs(keepAlive: string | undefined): number {
  const seconds = keepAlive === undefined ? undefined : /timeout=(\d{1,6})/iu.exec(keepAlive)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000;
}
