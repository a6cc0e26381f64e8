import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { hardenServer } from "hookwright";
import type { HardenServerOptions } from "hookwright";
import { openListeningSockets } from "./listening-sockets.ts";
import { nameOf } from "./options/option.ts";
import { options } from "./options/options.ts";
import { ServerError } from "./server-error.ts";

export interface Listening {
  /** The URL on this machine, without a trailing slash. */
  readonly url: string;
  /**
   * Stops accepting connections and waits for requests in progress. At the deadline it closes the remaining
   * connections.
   */
  close(deadlineMs: number): Promise<void>;
}

/** The handlers for requests and for malformed requests. */
export interface Answering {
  readonly handler: RequestListener;
  readonly answerClientError: (error: Error, socket: Duplex) => void;
}

export interface ListenAt {
  readonly port: number;
  readonly host: string;
  readonly limits: HardenServerOptions;
  /** The options that messages name. @default `--port` and `--host` */
  readonly names?: { readonly port: OptionName; readonly host: OptionName };
}

type OptionName = Parameters<typeof nameOf>[0];

const everyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * Listens on exactly this address. A port in use is an error. It never chooses another port.
 *
 * @throws {ServerError} `address_unavailable`
 */
export async function listen(
  { handler, answerClientError }: Answering,
  { port, host, limits, names = options }: ListenAt,
): Promise<Listening> {
  // A request without a Host reaches the handler, which responds with the envelope.
  const server = createServer({ requireHostHeader: false }, handler);
  // First alone: a port that another server of this user shares would not be refused below.
  server.listen({ port, host });
  await once(server, "listening").catch((cause: unknown) => {
    throw new ServerError("address_unavailable", explain(cause, { port, host, names }), { cause });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the server has no port");
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  hardenServer(server, limits);
  server.on("clientError", answerClientError);
  // Node passes CONNECT only to this listener. Without it, Node closes the connection without a response.
  server.on("connect", (_, socket) => answerClientError(new Error("CONNECT is for proxies"), socket));
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1). Node's own refusal has no body.
  server.on("checkExpectation", handler);
  const closeIdle = trackConnections(server);
  const sockets = await openListeningSockets(server, { port: address.port, host });
  return {
    url: `http://${toUrlHost(host)}:${address.port}`,
    async close(deadlineMs) {
      const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
      const closed = Promise.all([sockets.close(), new Promise((resolve) => void server.close(resolve))]);
      closeIdle();
      await closed;
      clearTimeout(deadline);
    },
  };
}

/**
 * Returns a function that closes the connections without a request in progress, to be called after `server.close()`. The others close when
 * their last response has ended. Node itself keeps connections that sent half a header, and in some versions those that sent nothing.
 */
function trackConnections(server: Server): () => void {
  const responses = new Map<Socket, Set<ServerResponse>>();
  function track({ socket }: IncomingMessage, response: ServerResponse): void {
    const open = responses.get(socket);
    open?.add(response);
    response.once("close", () => {
      open?.delete(response);
      if (!server.listening && open?.size === 0) socket.destroy();
    });
  }
  // Also emitted for connections of the other sockets that share the port.
  server.on("connection", (socket: Socket) => {
    responses.set(socket, new Set());
    socket.once("close", () => responses.delete(socket));
  });
  server.on("request", track);
  server.on("checkExpectation", track);
  return () => {
    for (const [socket, open] of responses) if (open.size === 0) socket.destroy();
  };
}

function explain(
  error: unknown,
  { port, host, names }: Required<Pick<ListenAt, "port" | "host" | "names">>,
): string {
  const ofPort = nameOf(names.port);
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "EADDRINUSE":
      return `${ofPort}: port ${port} on ${host} is in use. Stop what listens there, or choose another port (0 chooses a free one).`;
    case "EACCES":
      return `${ofPort}: this user has no permission to listen on port ${port}. Choose one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
    case "EAFNOSUPPORT":
      return `${nameOf(names.host)}: ${host} is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all interfaces.`;
    default:
      return `${ofPort}: cannot listen on port ${port} of ${host}. Choose another port (0 chooses a free one).`;
  }
}

/** The host of a URL that reaches the address on this machine. */
export function toUrlHost(host: string): string {
  if (everyAddress.has(host)) return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
