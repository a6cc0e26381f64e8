import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { renderRefusal } from "./answer/render-refusal.ts";

export interface UnreadableRequests {
  /** Remembers the request that a connection had last, by which its place among the answers is known. */
  note(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what Node's HTTP server could not read, and closes the connection. A listener for its `clientError`. */
  answer(error: Error, socket: Duplex): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A connection closed with unread bytes is reset, which may take the answer away from whoever still sends (RFC 9112, §9.6). */
/** Longer than an attempt of a test delivery may take. */
const mostWaitMs = 90_000;
const lingerMs = 1_000;

/**
 * Node itself answers what it cannot read with a bare status, in front of answers that are still to come or into the middle of
 * one that has begun. Here it is the API's envelope, behind what was asked before it.
 */
export function createUnreadableRequests({
  newRequestId,
  now,
}: {
  readonly newRequestId: () => string;
  readonly now: () => number;
}): UnreadableRequests {
  const exchanges = new WeakMap<Duplex, Exchange>();
  // What follows on the connection cannot be read either, and each piece of it is an error of its own.
  const answered = new WeakSet<Duplex>();

  function refuse(error: Error, socket: Duplex): void {
    const code = "code" in error ? error.code : undefined;
    if (socket.writable) socket.write(renderRefusal({ code, requestId: newRequestId(), now: now() }));
    hangUp(socket);
  }

  return {
    note(request, response) {
      const socket: Duplex | undefined = request.socket;
      // Requests that came over no connection, as adapters and test tools make them.
      if (socket !== undefined) exchanges.set(socket, { request, response });
    },

    answer(error, socket) {
      if (answered.has(socket)) return;
      answered.add(socket);
      // Of a tunnel Node listens no more: whoever hangs up meanwhile must not end the process.
      socket.on("error", () => socket.destroy());
      // Such as ECONNRESET: there is nobody to answer.
      if (!socket.writable) return void socket.destroy();
      const last = exchanges.get(socket);
      if (last === undefined) return refuse(error, socket);
      const { request, response } = last;
      if (request.complete) return whenAnswered(response, () => refuse(error, socket));
      // Its body is what cannot be read.
      if (response.headersSent) return whenAnswered(response, () => hangUp(socket));
      // Requests before it are not answered yet, and it would take their place.
      if (response.socket === null) return void socket.destroy();
      response.detachSocket(response.socket);
      refuse(error, socket);
    },
  };
}

/** A client that does not read its response keeps the connection only as long as {@link mostWaitMs}. */
function whenAnswered(response: ServerResponse, proceed: () => void): void {
  if (response.writableFinished || response.destroyed) return proceed();
  const { socket } = response;
  const deadline = setTimeout(() => socket?.destroy(), mostWaitMs).unref();
  response.once("close", () => {
    clearTimeout(deadline);
    proceed();
  });
}

function hangUp(socket: Duplex): void {
  if (socket.destroyed) return;
  const deadline = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(deadline)).end();
}
