import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { renderRefusal } from "./response/render-refusal.ts";

export interface UnreadableRequests {
  /** Remembers the latest request of a connection. The error response must come after its response. */
  remember(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Responds to a request that Node's HTTP server could not parse, and closes the connection. It listens to
   * `clientError`.
   */
  answer(error: Error, socket: Duplex): void;
}

/** Longer than any response may take, including that of a test delivery. */
const maximumWaitMs = 90_000;
/** An immediate close with unread bytes resets the connection, and the client may lose the response (RFC 9112, §9.6). */
const lingerMs = 1_000;

/**
 * Responds to malformed requests with the error envelope, after the responses to earlier requests on the connection.
 * Node itself would write a bare status before or into the other responses.
 */
export function createUnreadableRequests({
  newRequestId,
  now,
}: {
  readonly newRequestId: () => string;
  readonly now: () => number;
}): UnreadableRequests {
  const lastResponses = new WeakMap<Duplex, ServerResponse>();
  // The rest of the connection cannot be parsed either, and each piece of it causes another error.
  const answered = new WeakSet<Duplex>();

  function refuse(error: Error, socket: Duplex): void {
    const code = "code" in error ? error.code : undefined;
    if (socket.writable) socket.write(renderRefusal({ code, requestId: newRequestId(), now: now() }));
    hangUp(socket);
  }

  return {
    remember(request, response) {
      const socket: Duplex | undefined = request.socket;
      // Requests from adapters and test tools may have no connection.
      if (socket !== undefined) lastResponses.set(socket, response);
    },

    answer(error, socket) {
      if (answered.has(socket)) return;
      answered.add(socket);
      // Node does not listen for errors of an upgraded socket. Without a listener, a disconnect would end the process.
      socket.on("error", () => socket.destroy());
      // For example after ECONNRESET: the client cannot receive a response.
      if (!socket.writable) return void socket.destroy();
      const response = lastResponses.get(socket);
      if (response === undefined) return refuse(error, socket);
      if (response.req.complete) return whenAnswered(response, () => refuse(error, socket));
      // The response has begun, so the error is in the request's body.
      if (response.headersSent) return whenAnswered(response, () => hangUp(socket));
      // Earlier requests have no response yet, and this one would take their place.
      if (response.socket === null) return void socket.destroy();
      response.detachSocket(response.socket);
      refuse(error, socket);
    },
  };
}

/** If the client does not read the response, the connection closes after {@link maximumWaitMs}. */
function whenAnswered(response: ServerResponse, proceed: () => void): void {
  if (response.writableFinished || response.destroyed) return proceed();
  const { socket } = response;
  const deadline = setTimeout(() => socket?.destroy(), maximumWaitMs).unref();
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
