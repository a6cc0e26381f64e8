import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { abortConnection } from "./node-server/abort-connection.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;
type Queued = readonly [IncomingMessage, ServerResponse];

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
  /** The request that is served, then those that wait. An idle connection has an empty queue. */
  const queues = new WeakMap<Duplex, Queued[]>();

  function serveNext(socket: Duplex, queue: Queued[]): void {
    const [next] = queue;
    if (next === undefined || socket.destroyed) return;
    const [request, response] = next;
    // Emitted when the operating system has the response, and when the connection closes.
    response.once("close", () => {
      queue.shift();
      serveNext(socket, queue);
    });
    serve(request, response);
  }

  return (request, response) => {
    // Requests from adapters and test tools may have no connection.
    const socket: Duplex | undefined = request.socket;
    if (request.httpVersionMajor !== 1 || socket === undefined) return serve(request, response);
    if (socket.destroyed) return;
    const queue = queues.get(socket) ?? [];
    if (queue.length > maximumWaiting) return abortConnection(socket);
    queue.push([request, response]);
    if (queue.length > 1) return;
    queues.set(socket, queue);
    serveNext(socket, queue);
  };
}
