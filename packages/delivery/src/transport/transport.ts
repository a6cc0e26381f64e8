import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { SecureContextOptions } from "node:tls";
import type { Writable } from "../writable.ts";
import type { Answer } from "./answer.ts";
import { createDeadlines, noDeadline } from "./deadlines.ts";
import type { Timed } from "./deadlines.ts";
import { excerptLimitBytes, findInflater } from "./decode-excerpt.ts";
import type { Excerpt } from "./decode-excerpt.ts";
import { describeBlockedUrl } from "./describe-failure.ts";
import type { FailedConnection } from "./describe-failure.ts";
import type { Endpoint } from "./endpoint.ts";
import { createEndpointCache } from "./endpoint-cache.ts";
import { createExchange, settleAsNotBegun, settleWithAnswer, settleWithFailure } from "./exchange.ts";
import type { Exchange, OutgoingRequest } from "./exchange.ts";
import { toDetail, toFailure, toTimeout } from "./failure.ts";
import { BlockedAddressError, createGuardedLookup } from "./guarded-lookup.ts";
import type { Resolve } from "./guarded-lookup.ts";
import { headerValue } from "./header-list.ts";
import { createIdleConnections } from "./idle-connections.ts";
import { isLackOfDescriptors } from "./lack-of-descriptors.ts";
import { openSocket } from "./open-socket.ts";
import { ProtocolError } from "./protocol-error.ts";
import { isPublicAddress } from "./public-address.ts";
import { createRequestWriter } from "./request-writer.ts";
import type { ResponseHead } from "./response-head.ts";
import { createResponseParser } from "./response-parser.ts";
import type { ResponseParser } from "./response-parser.ts";
import { createSystemResolver } from "./system-resolver.ts";
import type { TargetPolicy } from "./target-url.ts";
import { createTlsContext } from "./tls-context.ts";
import { createTlsSessions } from "./tls-sessions.ts";

export type { OutgoingRequest } from "./exchange.ts";

export interface Transport extends AsyncDisposable {
  /**
   * Sends one request. Every outcome is an {@link Answer}, but for one that is no receiver's doing.
   *
   * @throws {DeliveryError} `too_many_open_files`, and nothing was sent
   */
  send(request: OutgoingRequest): Promise<Answer>;
  /** Ends what is under way with class `reset` and closes every connection. */
  close(): Promise<void>;
}

export interface TransportOptions extends TargetPolicy {
  /** @default the system's resolver */
  readonly resolve?: Resolve | undefined;
  /** Extra certificate authorities, client certificates and the like, as `node:tls` takes them. */
  readonly tls?: SecureContextOptions | undefined;
  /** Connections that wait for the next delivery to their origin, over all origins. @default 1024 */
  readonly maximumIdle?: number | undefined;
}

/** An accepted or refused answer need not be whole: so long, or the attempt's time-out, its body is waited for. */
const maximumBodyGraceMs = 1_000;

/** Its deadline is that of its exchange, or while it is idle the end of that. */
interface Connection extends Timed<Connection> {
  readonly socket: Socket;
  readonly origin: string;
  readonly parser: ResponseParser;
  /** What a failure is described with. */
  readonly facts: Writable<FailedConnection>;
  /** Undefined while it is idle: whatever comes then is no answer to us. */
  exchange: Exchange | undefined;
}

/**
 * Sends webhook requests over HTTP/1.1 connections of its own, so that every rule of the contract about
 * receivers nobody trusts is a line here: the address that was checked is the one dialled, one deadline, a
 * bounded head, at most 4 KiB of an answer, no redirect, and no connection reused after anything unusual.
 *
 * @throws when `tls` holds what `node:tls` cannot read
 * @see docs/decisions/transport.md for why not undici
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { resolve = createSystemResolver(), tls = {}, maximumIdle = 1_024, ...policy } = options;
  const secureContext = createTlsContext(tls);
  const guardedLookup = createGuardedLookup(resolve);
  const openLookup = createGuardedLookup(resolve, { allow: () => true });
  const endpointOf = createEndpointCache(policy);
  const deadlines = createDeadlines<Connection>({ onDue, keepsProcess: true });
  const idle = createIdleConnections<Connection>({ maximumIdle });
  const sessions = createTlsSessions();
  const open = new Set<Connection>();
  const writeRequest = createRequestWriter();
  let closed = false;

  function send(request: OutgoingRequest): Promise<Answer> {
    return new Promise((resolveAnswer, reject) => {
      begin(createExchange(request, { resolve: resolveAnswer, reject }));
    });
  }

  function begin(exchange: Exchange): void {
    if (closed) return settleWithFailure(exchange, shutDown);
    const { targetUrl, timeoutMs } = exchange;
    const verdict = endpointOf(targetUrl);
    if (!verdict.ok) {
      return settleWithFailure(exchange, {
        failure: "blocked_address",
        detail: toDetail(describeBlockedUrl(verdict.reason)),
      });
    }
    const { endpoint } = verdict;
    const guarded = isGuarded(endpoint);
    // `lookup` is not called for an IP literal.
    if (guarded && endpoint.serverName === undefined && !isPublicAddress(endpoint.hostname)) {
      return settleWithFailure(
        exchange,
        toFailure("lookup", new BlockedAddressError(endpoint.hostname), endpoint),
      );
    }
    const kept = idle.take(endpoint.origin, exchange.startedAt);
    const connection = kept ?? connect(endpoint, exchange);
    deadlines.begin(connection, exchange.startedAt, timeoutMs);
    if (kept === undefined) return;
    kept.parser.restart();
    write(kept, exchange, endpoint);
  }

  function isGuarded({ origin }: Endpoint): boolean {
    return policy.privateTargets !== true && policy.trustedOrigins?.includes(origin) !== true;
  }

  function connect(endpoint: Endpoint, exchange: Exchange): Connection {
    const { origin, secure } = endpoint;
    const lookup = isGuarded(endpoint) ? guardedLookup : openLookup;
    const onBytes = (bytes: Buffer, length: number): void => onData(connection, bytes, length);
    const socket = openSocket({ endpoint, lookup, secureContext, session: sessions.get(origin), onBytes });
    const parser = createResponseParser({ bodyLimitBytes: excerptLimitBytes });
    const facts = { hostname: endpoint.hostname, port: endpoint.port, certificate: undefined };
    const connection: Connection = { socket, origin, parser, facts, exchange, deadline: noDeadline() };
    let verified = false;
    open.add(connection);
    // The attempt's deadline keeps the process alive; a connection that waits for the next one must not.
    socket.unref();
    exchange.phase = endpoint.serverName === undefined ? "connect" : "lookup";
    socket.on("lookup", (error: Error | null) => {
      if (error === null) exchange.phase = "connect";
    });
    socket.once("connect", () => {
      exchange.phase = "tls";
      exchange.connectedAt = performance.now();
      if (!secure) write(connection, exchange, endpoint);
    });
    // Before Node verifies it: a certificate that was refused can no longer be read.
    socket.prependOnceListener("secure", () => {
      if (socket instanceof TLSSocket) connection.facts.certificate = socket.getPeerX509Certificate();
    });
    socket.once("secureConnect", () => {
      verified = true;
      connection.facts.certificate = undefined;
      write(connection, exchange, endpoint);
    });
    socket.on("session", (session: Buffer) => {
      if (verified) sessions.keep(origin, session);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => onBroken(connection, error));
    socket.on("end", () => onBroken(connection, undefined));
    socket.on("close", () => onBroken(connection, undefined));
    return connection;
  }

  function write(connection: Connection, exchange: Exchange, { requestPrefix, secure }: Endpoint): void {
    connection.exchange = exchange;
    exchange.phase = "exchange";
    const { unsent } = exchange;
    if (unsent === undefined) throw new Error("a request is written once");
    exchange.unsent = undefined;
    const { body, headerLines } = unsent;
    writeRequest(connection.socket, { lines: requestPrefix + headerLines, body, secure });
  }

  function onData(connection: Connection, chunk: Buffer, length: number): void {
    const { exchange, parser } = connection;
    if (exchange === undefined) return discard(connection);
    try {
      parser.push(chunk, length);
    } catch (error) {
      discard(connection);
      if (!(error instanceof ProtocolError)) throw error;
      return settleWithFailure(exchange, { failure: "protocol", detail: toDetail(error.message) });
    }
    if (parser.head === undefined) return;
    if (parser.state !== "reading") return finish(connection, exchange);
    if (exchange.headAt !== undefined) return;
    exchange.headAt = performance.now();
    deadlines.begin(connection, exchange.headAt, Math.min(maximumBodyGraceMs, exchange.timeoutMs));
  }

  function onBroken(connection: Connection, error: NodeJS.ErrnoException | undefined): void {
    const { exchange } = connection;
    discard(connection);
    if (exchange === undefined) return;
    if (connection.parser.head !== undefined) return finish(connection, exchange);
    if (isLackOfDescriptors(error)) return settleAsNotBegun(exchange, error);
    sessions.forget(connection.origin);
    settleWithFailure(exchange, toFailure(exchange.phase, error, connection.facts));
  }

  function onDue(connection: Connection): void {
    const { exchange } = connection;
    if (exchange === undefined) return;
    if (exchange.headAt !== undefined) return finish(connection, exchange);
    discard(connection);
    sessions.forget(connection.origin);
    const { phase, timeoutMs, startedAt, connectedAt } = exchange;
    const connectedAfterMs = connectedAt === undefined ? undefined : connectedAt - startedAt;
    settleWithFailure(exchange, toTimeout(phase, timeoutMs, connectedAfterMs));
  }

  /** The head has come: the attempt is decided, and so is what becomes of the connection. */
  function finish(connection: Connection, exchange: Exchange): void {
    const { head, state, body } = connection.parser;
    if (head === undefined) return;
    deadlines.end(connection);
    connection.exchange = undefined;
    // What answers before it has read the request is not given the next one: unread requests would pile up here.
    const clean = state === "complete" && connection.socket.writableLength === 0;
    const inflate =
      body.length === 0 ? undefined : findInflater(headerValue(head.headers, "content-encoding"));
    const now = performance.now();
    const headAt = (exchange.headAt ??= now);
    if (!clean) discard(connection);
    if (inflate === undefined) {
      if (clean) keep(connection, headerValue(head.headers, "keep-alive"), now);
      return settleWithAnswer(exchange, head, { headAt, excerpt: body.text() });
    }
    // It is inflated while the memory of this read serves the next.
    void finishInflated(connection, exchange, { head, headAt, inflated: inflate(body.copy()) });
  }

  async function finishInflated(
    connection: Connection,
    exchange: Exchange,
    answer: { readonly head: ResponseHead; readonly headAt: number; readonly inflated: Promise<Excerpt> },
  ): Promise<void> {
    const { head, headAt, inflated } = answer;
    const { text, whole } = await inflated;
    if (whole) keep(connection, headerValue(head.headers, "keep-alive"));
    else discard(connection);
    settleWithAnswer(exchange, head, { headAt, excerpt: text });
  }

  function keep(connection: Connection, keepAlive: string | undefined, now?: number): void {
    if (open.has(connection)) idle.put(connection, keepAlive, now);
  }

  function discard(connection: Connection): void {
    connection.exchange = undefined;
    deadlines.end(connection);
    open.delete(connection);
    idle.remove(connection);
    connection.socket.destroy();
  }

  async function close(): Promise<void> {
    closed = true;
    idle.close();
    for (const connection of open) {
      const { exchange } = connection;
      discard(connection);
      if (exchange !== undefined) settleWithFailure(exchange, shutDown);
    }
    deadlines.close();
  }

  return { send, close, [Symbol.asyncDispose]: close };
}

const shutDown = { failure: "reset", detail: "The sender was shut down before a response." } as const;
