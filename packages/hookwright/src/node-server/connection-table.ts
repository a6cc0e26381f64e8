import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** One connection of a server. */
export interface Connection {
  /** With TLS, the encrypted socket once the handshake is done. */
  socket: Socket;
  /** Milliseconds, monotonic. */
  readonly openedAt: number;
  readonly network: string;
  /** Whether requests may arrive: with TLS only after the handshake. */
  isReady: boolean;
  /** Requests without a complete response. */
  readonly requests: Set<IncomingMessage>;
  /** Changes when the client reads something. */
  sentMark: number;
  /** When the mark changed, or the first byte waited to be read. Milliseconds, monotonic. */
  progressAt: number;
  /** An HTTP/1.1 connection that became a WebSocket or a tunnel. It is forgotten when its last response is sent. */
  isUpgraded: boolean;
}

export interface ConnectionTable {
  readonly size: number;
  add(connection: Connection): void;
  remove(connection: Connection): void;
  /** A response of the connection is complete: it waits for the next request from now on. */
  noteWaiting(connection: Connection): void;
  /**
   * The connection that is of least use: in the network with the most connections, the one that has waited the longest for a complete
   * request. Undefined if every connection but the newest is being handled.
   */
  chooseLeastUseful(newest: Connection): Connection | undefined;
  [Symbol.iterator](): Iterator<Connection>;
}

/** The open connections of a server, by the network that they come from: an IPv4 address, or a /64 of IPv6. */
export function createConnectionTable(): ConnectionTable {
  const all = new Set<Connection>();
  /** The connections of each network, the one that waits the longest first. */
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
    noteWaiting(connection) {
      const others = networks.get(connection.network);
      if (others?.delete(connection) === true) others.add(connection);
    },
    chooseLeastUseful(newest) {
      let chosen: Connection | undefined;
      let most = 0;
      for (const connections of networks.values()) {
        if (connections.size <= most) continue;
        const waiting = findWaiting(connections, newest);
        if (waiting === undefined) continue;
        chosen = waiting;
        most = connections.size;
      }
      return chosen;
    },
    [Symbol.iterator]: () => all.values(),
  };
}

function findWaiting(connections: Iterable<Connection>, newest: Connection): Connection | undefined {
  for (const connection of connections) {
    if (connection !== newest && !isHandled(connection)) return connection;
  }
  return undefined;
}

/** A request that is still arriving is not handled yet. A response that waits for its client is not handled any more. */
function isHandled({ requests, socket }: Connection): boolean {
  if (socket.writableLength > 0) return false;
  for (const { complete } of requests) if (complete) return true;
  return false;
}
