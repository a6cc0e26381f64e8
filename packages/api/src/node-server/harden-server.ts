import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import { toClientNetwork } from "@hookwright/service";
import { abortConnection } from "./abort-connection.ts";
import { createConnectionTable } from "./connection-table.ts";
import type { Connection } from "./connection-table.ts";
import { listenPassively } from "./listen-passively.ts";
import { openFilesLimit } from "./open-files-limit.ts";
import { readServerLimits } from "./server-limits.ts";
import type { HardenServerOptions } from "./server-limits.ts";

/** The API serves one request of a connection at a time and queues 16. */
const maximumUnanswered = 17;
/** A response of at least this size counts against the limit immediately, not only at the next check. */
const largeResponseBytes = 65_536;
const longestCheckIntervalMs = 1_000;

/**
 * Protects a Node server from clients that hold idle connections, send too slowly or do not read. It does not count
 * connections that were opened before the call, so call it before `listen()` or right after it.
 *
 * If there are too many connections, it closes the least useful one, so new clients still get in. It ignores WebSockets
 * and other upgraded connections.
 *
 * @returns the server
 * @throws ConfigurationError `invalid_option`
 * @example
 * const server = hardenServer(createServer(hookwright.handler));
 * server.listen(3000);
 */
export function hardenServer<AnyServer extends Server | HttpsServer>(
  server: AnyServer,
  options: HardenServerOptions = {},
): AnyServer {
  const limits = readServerLimits(server, options, openFilesLimit());
  const { maxConnections, headersTimeoutMs, requestTimeoutMs, stalledWriteMs, pendingResponseBytes } = limits;
  const table = createConnectionTable();
  const connections = new WeakMap<Socket, Connection>();
  const usesTls = server instanceof TlsServer;

  // Node checks these limits once per interval.
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  const checkIntervalMs = Math.min(longestCheckIntervalMs, Math.ceil(headersTimeoutMs / 4));
  Object.assign(server, { connectionsCheckingInterval: checkIntervalMs });
  if (server.listening) restartChecks(server);
  server.timeout = stalledWriteMs;

  function forget(socket: Socket): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    connections.delete(connection.socket);
    table.remove(connection);
  }

  function close(connection: Connection): void {
    // Removed immediately, because the close event comes later and more connections may arrive before it.
    table.remove(connection);
    abortConnection(connection.socket);
  }

  /**
   * Closes connections whose clients have not read for too long. If the pending responses are too large in total, the
   * network with the most loses connections first, starting with the one that has waited longest.
   */
  function limitPendingResponses(): void {
    const now = performance.now();
    const writing: Connection[] = [];
    const bytesOfNetwork = new Map<string, number>();
    let pendingBytes = 0;
    for (const connection of table) {
      const { socket, network } = connection;
      const mark = toSentMark(socket);
      if (socket.writableLength === 0 || mark !== connection.sentMark) connection.progressAt = now;
      connection.sentMark = mark;
      if (socket.writableLength === 0) continue;
      if (now - connection.progressAt >= stalledWriteMs) {
        close(connection);
        continue;
      }
      writing.push(connection);
      pendingBytes += socket.writableLength;
      bytesOfNetwork.set(network, (bytesOfNetwork.get(network) ?? 0) + socket.writableLength);
    }
    if (pendingBytes <= pendingResponseBytes) return;
    const bytesBeside = ({ network }: Connection): number => bytesOfNetwork.get(network) ?? 0;
    writing.sort((one, other) => bytesBeside(other) - bytesBeside(one) || one.progressAt - other.progressAt);
    for (const connection of writing) {
      if (pendingBytes <= pendingResponseBytes) return;
      pendingBytes -= connection.socket.writableLength;
      close(connection);
    }
  }

  function closeUnfinishedHandshakes(): void {
    const oldest = performance.now() - headersTimeoutMs;
    for (const connection of table) {
      if (!connection.isReady && connection.openedAt < oldest) close(connection);
    }
  }

  server.on("connection", (socket: Socket) => {
    const now = performance.now();
    const connection: Connection = {
      socket,
      openedAt: now,
      waitingSince: now,
      network: toClientNetwork(socket.remoteAddress),
      isReady: !usesTls,
      requests: new Set(),
      sentMark: 0,
      progressAt: now,
      isUpgraded: false,
    };
    connections.set(socket, connection);
    table.add(connection);
    socket.once("close", () => forget(socket));
    if (table.size > maxConnections) close(table.chooseLeastUseful(connection, now));
  });

  if (usesTls) {
    server.on("secureConnection", (encrypted) => {
      // Node does not tell which connection the encrypted socket belongs to.
      for (const connection of table) {
        const { socket, isReady } = connection;
        if (isReady || socket.remotePort !== encrypted.remotePort) continue;
        if (socket.remoteAddress !== encrypted.remoteAddress) continue;
        connection.socket = encrypted;
        connection.isReady = true;
        connections.set(encrypted, connection);
        return;
      }
    });
  }

  function track(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.requests.add(request);
    if (connection.requests.size > maximumUnanswered) return close(connection);
    response.once("prefinish", () => {
      if (socket.writableLength >= largeResponseBytes) limitPendingResponses();
    });
    response.once("close", () => {
      connection.requests.delete(request);
      if (connection.isUpgraded && connection.requests.size === 0) forget(socket);
      else table.markWaiting(connection, performance.now());
    });
  }

  server.prependListener("request", track);
  listenPassively(server, "checkContinue", track);
  listenPassively(server, "checkExpectation", track);
  /**
   * After an upgrade, the connection belongs to the embedding program once the client has read the earlier responses.
   */
  function leave({ socket }: IncomingMessage): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.isUpgraded = true;
    if (connection.requests.size === 0) forget(socket);
  }

  listenPassively(server, "upgrade", leave);
  listenPassively(server, "connect", leave);

  server.on("timeout", (socket: Socket) => {
    const connection = connections.get(socket);
    // A handler may work or wait longer than this. Upgraded connections belong to the embedding program.
    if (connection !== undefined && connection.requests.size === 0) close(connection);
  });

  let timer: NodeJS.Timeout | undefined;
  function startTimer(): void {
    clearInterval(timer);
    timer = setInterval(() => {
      limitPendingResponses();
      if (usesTls) closeUnfinishedHandshakes();
    }, checkIntervalMs).unref();
  }
  server.on("listening", startTimer);
  if (server.listening) startTimer();
  server.on("close", () => clearInterval(timer));
  return server;
}

/**
 * The number of bytes that have left this process. Node counts a large write only when it is complete, so this also
 * reads its queue.
 */
function toSentMark(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  const queued: unknown =
    typeof handle === "object" && handle !== null ? Reflect.get(handle, "writeQueueSize") : 0;
  return socket.bytesWritten - socket.writableLength - (typeof queued === "number" ? queued : 0);
}

/**
 * Node reads the interval in its own `listening` listener. If a later Node has no such listener, it checks every 30 s.
 */
function restartChecks(server: Server | HttpsServer): void {
  for (const listener of server.listeners("listening"))
    if (listener.name === "setupConnectionsTracking") listener.call(server);
}
