import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { hardenServer } from "hookwright";
import type { HardenServerOptions } from "hookwright";
import { nameOf } from "./options/option.ts";
import { options } from "./options/options.ts";
import { ServerError } from "./server-error.ts";

export interface Listening {
  /** Where it can be reached from this machine, without a slash at the end. */
  readonly url: string;
  /** Takes no more connections and lets requests under way end; whatever is left at the deadline is cut. */
  close(deadlineMs: number): Promise<void>;
}

/** What answers: requests, and what Node could not read as one. */
export interface Answering {
  readonly handler: RequestListener;
  readonly answerClientError: (error: Error, socket: Duplex) => void;
}

export interface ListenAt {
  readonly port: number;
  readonly host: string;
  /** @default the defaults of `hardenServer` */
  readonly limits?: HardenServerOptions;
}

const everyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Ports that `fetch` and browsers block (Fetch standard, "bad port"). */
const blockedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/**
 * Listens, on exactly what was asked for: a busy port is a refusal, never a reason to take another one.
 *
 * @throws {ServerError} `address_unavailable`
 */
export async function listen(
  { handler, answerClientError }: Answering,
  { port, host, limits }: ListenAt,
): Promise<Listening> {
  if (blockedPorts.has(port)) {
    throw new ServerError(
      "address_unavailable",
      `${nameOf(options.port)}: ${port} is a port that browsers refuse to open. Choose another one.`,
    );
  }
  // A request without a Host reaches the handler, which refuses it as it refuses others.
  const server = hardenServer(createServer({ requireHostHeader: false }, handler), limits);
  server.on("clientError", answerClientError);
  // Node hands CONNECT to nobody but this listener, and without it closes the connection without a word.
  server.on("connect", (_, socket) => answerClientError(new Error("CONNECT is for proxies"), socket));
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1), and Node's refusals have no body.
  server.on("checkExpectation", handler);
  const closeIdle = watchIdle(server);
  server.listen({ port, host });
  await once(server, "listening").catch((cause: unknown) => {
    throw new ServerError("address_unavailable", explain({ port, host }, cause), { cause });
  });
  const { port: openPort } = server.address() as AddressInfo;
  return {
    url: `http://${toUrlHost(host)}:${openPort}`,
    async close(deadlineMs) {
      const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
      const closed = once(server, "close");
      server.close();
      closeIdle();
      await closed;
      clearTimeout(deadline);
    },
  };
}

/**
 * Answers what closes the connections without a request, and the others after their response. Node's own function leaves those
 * open that have not sent a request yet.
 */
function watchIdle(server: Server): () => void {
  const requests = new Map<Socket, number>();
  let isClosing = false;
  const add = (socket: Socket, change: number): void => {
    const count = (requests.get(socket) ?? 0) + change;
    if (!socket.destroyed) requests.set(socket, count);
    if (isClosing && count === 0) socket.destroySoon();
  };
  const watch = ({ socket }: { readonly socket: Socket }, response: ServerResponse): void => {
    add(socket, 1);
    response.once("close", () => add(socket, -1));
  };
  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0);
    socket.once("close", () => requests.delete(socket));
  });
  server.on("request", watch).on("checkExpectation", watch);
  return () => {
    isClosing = true;
    for (const [socket, count] of requests) if (count === 0) socket.destroySoon();
  };
}

function explain({ port, host }: ListenAt, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const ofPort = nameOf(options.port);
  switch (code) {
    case "EADDRINUSE":
      return `${ofPort}: port ${port} on ${host} is in use. Stop what listens there, or choose another port (0 takes a free one).`;
    case "EACCES":
      return `${ofPort}: this user may not listen on port ${port}. Choose one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
    case "EAFNOSUPPORT":
      return `${nameOf(options.host)}: ${host} is no address of this machine. 127.0.0.1 listens for this machine alone, 0.0.0.0 for all.`;
    default:
      return `${ofPort}: cannot listen on port ${port} of ${host}. Choose another port (0 takes a free one).`;
  }
}

function toUrlHost(host: string): string {
  if (everyAddress.has(host)) return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
