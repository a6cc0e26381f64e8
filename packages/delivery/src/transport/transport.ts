import { connect as connectPlain } from "node:net";
import type { Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { SecureContextOptions } from "node:tls";
import type { Answer, FailureClass } from "./answer.ts";
import { decodeExcerpt, excerptLimitBytes } from "./decode-excerpt.ts";
import type { Endpoint } from "./endpoint.ts";
import { toEndpoint } from "./endpoint.ts";
import { BlockedAddressError, createGuardedLookup, resolveBySystem } from "./guarded-lookup.ts";
import type { Resolve } from "./guarded-lookup.ts";
import { createIdleConnections } from "./idle-connections.ts";
import { isPublicAddress } from "./public-address.ts";
import { createResponseParser, ProtocolError } from "./response-parser.ts";
import type { ResponseParser } from "./response-parser.ts";
import { parseTargetUrl } from "./target-url.ts";
import type { TargetPolicy } from "./target-url.ts";

export interface OutgoingRequest {
  readonly targetUrl: string;
  /** Header lines after `Host`, each ended by CRLF; `Content-Length` is added here. */
  readonly headerLines: string;
  readonly body: Uint8Array;
  /** One deadline over name resolution, connection, TLS and the header section. */
  readonly timeoutMs: number;
}

export interface Transport extends AsyncDisposable {
  /** Sends one request. Never rejects: every outcome is an {@link Answer}. */
  send(request: OutgoingRequest): Promise<Answer>;
  close(): Promise<void>;
}

export interface TransportOptions extends TargetPolicy {
  /** @default the system's resolver */
  readonly resolve?: Resolve;
  /** Extra certificate authorities, client certificates and the like, as `node:tls` takes them. */
  readonly tls?: SecureContextOptions;
}

/** An accepted or refused answer need not be whole: this long the rest of a short body is waited for. */
const bodyGraceMs = 1_000;

interface Connection {
  readonly socket: Socket;
  readonly endpoint: Endpoint;
  exchange: Exchange | undefined;
}

interface Exchange {
  readonly request: OutgoingRequest;
  readonly startedAt: number;
  readonly parser: ResponseParser;
  phase: "lookup" | "connect" | "tls" | "exchange";
  headAt: number;
  timer: NodeJS.Timeout | undefined;
  readonly resolve: (answer: Answer) => void;
}

/**
 * Sends webhook requests over HTTP/1.1 connections of its own, so that every rule of the contract about
 * receivers nobody trusts is a line here: the address that was checked is the one dialled, one deadline, a
 * bounded head, at most 4 KiB of an answer, no redirect, and no connection reused after anything unusual.
 *
 * @see docs/decisions/transport.md for why not undici
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { resolve = resolveBySystem, tls, ...policy } = options;
  const guardedLookup = createGuardedLookup(resolve);
  const openLookup = createGuardedLookup(resolve, { allow: () => true });
  const idle = createIdleConnections<Connection>();
  const open = new Set<Connection>();
  const endpoints = new Map<string, Endpoint>();
  const tlsSessions = new Map<string, Buffer>();

  function send(request: OutgoingRequest): Promise<Answer> {
    return new Promise((resolveAnswer) => {
      const exchange: Exchange = {
        request,
        startedAt: performance.now(),
        parser: createResponseParser({ bodyLimitBytes: excerptLimitBytes }),
        phase: "lookup",
        headAt: 0,
        timer: undefined,
        resolve: resolveAnswer,
      };
      const endpoint = endpointOf(request.targetUrl);
      if (endpoint === undefined) return fail(exchange, "blocked_address", "the URL is not one that is delivered to");
      const reused = idle.take(endpoint.origin);
      if (reused === undefined) return openConnection(endpoint, exchange);
      exchange.timer = setTimeout(onDeadline, request.timeoutMs, reused);
      write(reused, exchange);
    });
  }

  /** Judged again at every attempt: the policy may have changed since the webhook was made. */
  function endpointOf(targetUrl: string): Endpoint | undefined {
    const known = endpoints.get(targetUrl);
    if (known !== undefined) return known;
    const verdict = parseTargetUrl(targetUrl, policy);
    if (!verdict.ok) return undefined;
    const endpoint = toEndpoint(verdict.url);
    if (endpoints.size >= 10_000) endpoints.clear();
    endpoints.set(targetUrl, endpoint);
    return endpoint;
  }

  function openConnection(endpoint: Endpoint, exchange: Exchange): void {
    const unguarded = policy.privateTargets === true || policy.trustedOrigins?.includes(endpoint.origin) === true;
    // `lookup` is not called for an IP literal.
    if (endpoint.isAddress && !unguarded && !isPublicAddress(endpoint.hostname)) {
      return fail(exchange, "blocked_address", new BlockedAddressError(endpoint.hostname).message);
    }
    const target = {
      host: endpoint.hostname,
      port: endpoint.port,
      lookup: unguarded ? openLookup : guardedLookup,
      autoSelectFamily: true,
      noDelay: true,
    };
    const session = tlsSessions.get(endpoint.origin);
    const socket: Socket = endpoint.secure
      ? connectSecure({
          ...tls,
          ...target,
          ...(endpoint.isAddress ? {} : { servername: endpoint.hostname }),
          ...(session === undefined ? {} : { session }),
          ALPNProtocols: ["http/1.1"],
        })
      : connectPlain(target);
    const connection: Connection = { socket, endpoint, exchange };
    open.add(connection);
    exchange.timer = setTimeout(onDeadline, exchange.request.timeoutMs, connection);
    // The attempt's own timer keeps the process alive; a connection that waits for the next one must not.
    socket.unref();
    exchange.phase = endpoint.isAddress ? "connect" : "lookup";
    socket.on("lookup", () => (exchange.phase = "connect"));
    socket.on("connect", () => {
      exchange.phase = endpoint.secure ? "tls" : "exchange";
      if (!endpoint.secure) write(connection, exchange);
    });
    socket.on("secureConnect", () => write(connection, exchange));
    socket.on("session", (ticket: Buffer) => {
      if (tlsSessions.size >= 1_000) tlsSessions.clear();
      tlsSessions.set(endpoint.origin, ticket);
    });
    socket.on("data", (chunk: Buffer) => onData(connection, chunk));
    socket.on("error", (error: NodeJS.ErrnoException) => onBroken(connection, error));
    socket.on("end", () => onBroken(connection, undefined));
    socket.on("close", () => onBroken(connection, undefined));
  }

  function write(connection: Connection, exchange: Exchange): void {
    connection.exchange = exchange;
    exchange.phase = "exchange";
    const { body, headerLines } = exchange.request;
    const head = `${connection.endpoint.requestPrefix}${headerLines}content-length: ${body.length}\r\n\r\n`;
    const bytes = Buffer.allocUnsafe(head.length + body.length);
    bytes.latin1Write(head, 0);
    bytes.set(body, head.length);
    connection.socket.write(bytes);
  }

  function onData(connection: Connection, chunk: Buffer): void {
    const { exchange } = connection;
    if (exchange === undefined) return discard(connection); // an answer to no question: the connection is poisoned
    const { parser } = exchange;
    try {
      parser.push(chunk);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (parser.head !== undefined) return finish(connection, exchange);
      discard(connection);
      return fail(exchange, "protocol", error.message);
    }
    if (parser.head === undefined) return;
    if (parser.state !== "reading") return finish(connection, exchange);
    if (exchange.headAt !== 0) return;
    exchange.headAt = performance.now();
    clearTimeout(exchange.timer);
    exchange.timer = setTimeout(finish, bodyGraceMs, connection, exchange);
  }

  function onBroken(connection: Connection, error: NodeJS.ErrnoException | undefined): void {
    const { exchange } = connection;
    discard(connection);
    if (exchange === undefined) return;
    exchange.parser.end();
    if (exchange.parser.head !== undefined) return finish(connection, exchange);
    const [failure, detail] = classify(exchange.phase, error);
    fail(exchange, failure, detail);
  }

  function onDeadline(connection: Connection): void {
    const { exchange } = connection;
    if (exchange === undefined) return;
    discard(connection);
    fail(exchange, "timeout", `no answer within ${exchange.request.timeoutMs} ms (${waitingFor[exchange.phase]})`);
  }

  function finish(connection: Connection, exchange: Exchange): void {
    const { parser } = exchange;
    if (parser.head === undefined) return;
    clearTimeout(exchange.timer);
    connection.exchange = undefined;
    const { status, headers } = parser.head;
    if (parser.state === "complete" && !connection.socket.destroyed) {
      idle.put(connection.endpoint.origin, connection, headers["keep-alive"]);
    } else {
      discard(connection);
    }
    const accepted = status >= 200 && status < 300;
    const durationMs = (exchange.headAt === 0 ? performance.now() : exchange.headAt) - exchange.startedAt;
    const answer = { status, headers, failure: accepted ? null : ("status" as const), detail: null, durationMs };
    if (parser.body.length === 0) return exchange.resolve({ ...answer, excerpt: "" });
    void decodeExcerpt(parser.body, headers["content-encoding"]).then((excerpt) => exchange.resolve({ ...answer, excerpt }));
  }

  function discard(connection: Connection): void {
    connection.exchange = undefined;
    open.delete(connection);
    idle.remove(connection.endpoint.origin, connection);
    connection.socket.destroy();
  }

  async function close(): Promise<void> {
    idle.close();
    for (const connection of open) {
      const { exchange } = connection;
      discard(connection);
      if (exchange !== undefined) fail(exchange, "reset", "the sender was shut down");
    }
  }

  return { send, close, [Symbol.asyncDispose]: close };
}

const waitingFor = {
  lookup: "while the name was being resolved",
  connect: "while connecting",
  tls: "during the TLS handshake",
  exchange: "while waiting for the status line and headers",
} as const;

function fail(exchange: Exchange, failure: FailureClass, detail: string): void {
  clearTimeout(exchange.timer);
  const durationMs = performance.now() - exchange.startedAt;
  exchange.resolve({ status: null, headers: {}, excerpt: "", failure, detail, durationMs });
}

function classify(phase: Exchange["phase"], error: NodeJS.ErrnoException | undefined): [FailureClass, string] {
  if (error instanceof BlockedAddressError) return ["blocked_address", error.message];
  const detail = error === undefined ? "the receiver closed the connection before it answered" : describe(error);
  if (error?.syscall?.startsWith("getaddrinfo") === true || phase === "lookup") return ["dns", detail];
  if (phase === "connect") return ["connect", detail];
  return [phase === "tls" ? "tls" : "reset", detail];
}

function describe(error: NodeJS.ErrnoException): string {
  // Happy Eyeballs reports every address it tried.
  if (error instanceof AggregateError) {
    return error.errors.map((each: unknown) => (each instanceof Error ? each.message : String(each))).join("; ");
  }
  return error.code === undefined || error.message.includes(error.code) ? error.message : `${error.code}: ${error.message}`;
}
