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
  markWaiting(connection: Connection): void;
  /**
   * Finds the connection to close: in the network with the most connections, the one that has waited longest for a
   * complete request. If all except the newest are being served, it is the one that has been served longest, or the
   * newest itself if its own network has the most.
   */
  chooseLeastUseful(newest: Connection): Connection;
  [Symbol.iterator](): Iterator<Connection>;
}

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
    markWaiting(connection) {
      const others = networks.get(connection.network);
      if (others?.delete(connection) === true) others.add(connection);
    },
    chooseLeastUseful(newest) {
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
      const waiting = findIn((connections) => findWaiting(connections, newest));
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
