import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** One connection of a server. */
export interface Connection {
  /** With TLS, the encrypted socket once the handshake is done. */
  socket: Socket;
  /** Milliseconds, monotonic. */
  readonly openedAt: number;
  readonly network: string;
  /** True if requests may arrive: with TLS only after the handshake. */
  isReady: boolean;
  /** Since when it is open, or its last response is complete. Milliseconds, monotonic. */
  waitingSince: number;
  /** Requests without a complete response. */
  readonly requests: Set<IncomingMessage>;
  /** A value that changes when the client reads data. */
  sentMark: number;
  /** When `sentMark` changed, or when the first unread byte was written. Milliseconds, monotonic. */
  progressAt: number;
  /** True for a WebSocket or tunnel. The server forgets the connection when its last response is sent. */
  isUpgraded: boolean;
}

export interface ConnectionTable {
  readonly size: number;
  add(connection: Connection): void;
  remove(connection: Connection): void;
  /** Marks the connection as waiting for its next request, because a response is complete. */
  markWaiting(connection: Connection, now: number): void;
  /**
   * Finds the connection to close: in the network with the most connections, the one that has waited longest for a
   * complete request. In smaller networks only those count that have waited for a second, because the request of a new connection is
   * still under way. If there is none, it is the one that has been served longest, or the newest itself if its own network has the most.
   */
  chooseLeastUseful(newest: Connection, now: number): Connection;
  [Symbol.iterator](): Iterator<Connection>;
}

/** A client has sent its request within this time, even if the server is busy. */
const expectedRequestMs = 1_000;

/** The open connections of a server by client network: an IPv4 address, or a /64 of IPv6. */
export function createConnectionTable(): ConnectionTable {
  const all = new Set<Connection>();
  /** The connections of each network. The one that has waited longest is first. */
  const networks = new Map<string, Set<Connection>>();

  return {
    get size() {
      return all.size;
    },
    add(connection) {
      all.add(connection);
      const others = networks.get(connection.network);
      if (others === undefined) networks.set(connection.network, new Set([connection]));
      else others.add(connection);
    },
    remove(connection) {
      all.delete(connection);
      const others = networks.get(connection.network);
      others?.delete(connection);
      if (others?.size === 0) networks.delete(connection.network);
    },
    markWaiting(connection, now) {
      connection.waitingSince = now;
      const others = networks.get(connection.network);
      if (others?.delete(connection) === true) others.add(connection);
    },
    chooseLeastUseful(newest, now) {
      const findIn = (find: (connections: ReadonlySet<Connection>) => Connection | undefined) => {
        let chosen: Connection | undefined;
        let largestSize = 0;
        for (const connections of networks.values()) {
          if (connections.size <= largestSize) continue;
          const found = find(connections);
          if (found === undefined) continue;
          chosen = found;
          largestSize = connections.size;
        }
        return chosen;
      };
      const largest = Math.max(...[...networks.values()].map(({ size }) => size));
      const waiting = findIn((connections) => {
        const found = findWaiting(connections, newest);
        const isLate = (found?.waitingSince ?? now) <= now - expectedRequestMs;
        return connections.size === largest || isLate ? found : undefined;
      });
      if (waiting !== undefined) return waiting;
      // Without the newest, its network has one less.
      const own = (networks.get(newest.network)?.size ?? 1) - 1;
      const served = findIn((connections) =>
        connections.size > own && !connections.has(newest) ? first(connections) : undefined,
      );
      return served ?? newest;
    },
    [Symbol.iterator]: () => all.values(),
  };
}

function first<Item>(items: Iterable<Item>): Item | undefined {
  for (const item of items) return item;
  return undefined;
}

function findWaiting(connections: Iterable<Connection>, newest: Connection): Connection | undefined {
  for (const connection of connections) {
    if (connection !== newest && !isServing(connection)) return connection;
  }
  return undefined;
}

/** A request that is still arriving is not being served yet. A response that waits for its client no longer counts. */
function isServing({ requests, socket }: Connection): boolean {
  if (socket.writableLength > 0) return false;
  for (const { complete } of requests) if (complete) return true;
  return false;
}
