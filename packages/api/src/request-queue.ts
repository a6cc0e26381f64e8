import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { abortConnection } from "./abort-connection.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Browsers and HTTP libraries do not pipeline at all. One packet can hold more than a thousand requests. */
const mostWaiting = 16;

/**
 * Serves the requests of one connection one after the other. Node reports every request as soon as it is parsed, so a client that
 * pipelines requests and reads no response would otherwise make the process keep all responses in memory. If too many requests wait,
 * the connection is closed.
 *
 * The streams of HTTP/2 are independent of each other, and are served at once.
 */
export function createRequestQueue(serve: Listener): Listener {
  const queues = new WeakMap<Duplex, (readonly [IncomingMessage, ServerResponse])[]>();

  function serveNow(socket: Duplex, request: IncomingMessage, response: ServerResponse): void {
    // Emitted when the response has been handed to the operating system, and when the connection is closed.
    response.once("close", () => {
      const next = queues.get(socket)?.shift();
      if (next === undefined || socket.destroyed) queues.delete(socket);
      else serveNow(socket, ...next);
    });
    serve(request, response);
  }

  return (request, response) => {
    // Requests that adapters and test tools make may have no connection.
    const socket: Duplex | undefined = request.socket;
    if (request.httpVersionMajor !== 1 || socket === undefined) return serve(request, response);
    if (socket.destroyed) return;
    const waiting = queues.get(socket);
    if (waiting === undefined) {
      queues.set(socket, []);
      serveNow(socket, request, response);
    } else if (waiting.length < mostWaiting) {
      waiting.push([request, response]);
    } else {
      abortConnection(socket);
    }
  };
}
