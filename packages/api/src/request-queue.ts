import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { abortConnection } from "./node-server/abort-connection.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Browsers and HTTP libraries do not pipeline. One packet can hold more than a thousand requests. */
const maximumWaiting = 16;

/**
 * Serves the requests of one connection one after the other. If too many requests wait, it closes the connection.
 *
 * Node reports every request as soon as it is parsed. A client that pipelines requests and reads no responses would
 * otherwise make the process keep all responses in memory. Streams of HTTP/2 are independent, so they are served at
 * once.
 */
export function createRequestQueue(serve: Listener): Listener {
  const queues = new WeakMap<Duplex, (readonly [IncomingMessage, ServerResponse])[]>();

  function serveNow(socket: Duplex, request: IncomingMessage, response: ServerResponse): void {
    // Emitted when the operating system has the response, and when the connection closes.
    response.once("close", () => {
      const next = queues.get(socket)?.shift();
      if (next === undefined || socket.destroyed) queues.delete(socket);
      else serveNow(socket, ...next);
    });
    serve(request, response);
  }

  return (request, response) => {
    // Requests from adapters and test tools may have no connection.
    const socket: Duplex | undefined = request.socket;
    if (request.httpVersionMajor !== 1 || socket === undefined) return serve(request, response);
    if (socket.destroyed) return;
    const waiting = queues.get(socket);
    if (waiting === undefined) {
      queues.set(socket, []);
      serveNow(socket, request, response);
    } else if (waiting.length < maximumWaiting) {
      waiting.push([request, response]);
    } else {
      abortConnection(socket);
    }
  };
}
