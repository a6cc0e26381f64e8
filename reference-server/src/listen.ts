import { createServer } from "node:net";
import type { RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import { hardenServer } from "hookwright";
import type { HardenServerOptions } from "hookwright";
import { listen as listhen } from "listhen";
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
  readonly limits: HardenServerOptions;
}

const everyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * Listens, on exactly what was asked for: a busy port is a refusal, never a reason to take another one.
 *
 * @throws {ServerError} `address_unavailable`
 */
export async function listen(
  { handler, answerClientError }: Answering,
  { port, host, limits }: ListenAt,
): Promise<Listening> {
  const listener = await listhen(handler, {
    // As an object, because listhen takes 3000 where it is told the bare number 0.
    port: { port, random: port === 0 },
    hostname: host,
    public: everyAddress.has(host),
    // No other port where this one is busy, and nothing printed about the search.
    isProd: true,
    isTest: true,
    // Signals are ours.
    showURL: false,
    autoClose: false,
  }).catch(async (cause: unknown) => {
    throw new ServerError("address_unavailable", await explain({ port, host }), { cause });
  });
  const { server, address } = listener;
  hardenServer(server, limits);
  server.on("clientError", answerClientError);
  // Node hands CONNECT to nobody but this listener, and without it closes the connection without a word.
  server.on("connect", (_, socket) => answerClientError(new Error("CONNECT is for proxies"), socket));
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1), and Node's refusals have no body.
  server.on("checkExpectation", handler);
  // A request without a Host reaches the handler, which refuses it as it refuses others. listhen passes no options on.
  Object.assign(server, { requireHostHeader: false });
  if (port !== 0 && address.port !== port) {
    await listener.close();
    throw new ServerError(
      "address_unavailable",
      `${nameOf(options.port)}: ${port} is a port that browsers refuse to open. Choose another one.`,
    );
  }
  return {
    url: `http://${toUrlHost(host)}:${address.port}`,
    async close(deadlineMs) {
      const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await listener.close();
      clearTimeout(deadline);
    },
  };
}

/** The port search of listhen does not say why a port could not be had, so it is asked for once more. */
async function explain({ port, host }: Pick<ListenAt, "port" | "host">): Promise<string> {
  const code = await new Promise<unknown>((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => resolve("code" in error ? error.code : undefined));
    probe.listen({ port, host }, () => probe.close(() => resolve(undefined)));
  });
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
