import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { SecureContextOptions } from "node:tls";
import type { Writable } from "../writable.ts";
import type { Answer } from "./answer.ts";
import { createConnectionPools } from "./connection-pools.ts";
import type { Pooled } from "./connection-pools.ts";
import { createDeadlines, noDeadline } from "./deadlines.ts";
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
   * Sends one request. Every outcome that the receiver causes is an {@link Answer}.
   *
   * @throws {DeliveryError} `too_many_open_files`, and nothing was sent
   */
  send(request: OutgoingRequest): Promise<Answer>;
  /** Ends the requests under way with class `reset` and closes every connection. */
  close(): Promise<void>;
}

export interface TransportOptions extends TargetPolicy {
  /** @default the system's resolver */
  readonly resolve?: Resolve | undefined;
  /** Extra certificate authorities, client certificates and the like, as `node:tls` takes them. */
  readonly tls?: SecureContextOptions | undefined;
  /** Idle connections that wait for the next delivery, over all accounts and origins. @default 1024 */
  readonly maximumIdle?: number | undefined;
}

/** The status is known by then, so the body gets only so long, or the attempt's time-out where that is shorter. */
const maximumBodyGraceMs = 1_000;

/** Its deadline is that of its exchange. While it is idle, it is the end of the idle time. */
interface Connection extends Pooled<Connection> {
  readonly socket: Socket;
  readonly parser: ResponseParser;
  /** What a failure is described with. */
  readonly facts: Writable<FailedConnection>;
  /** Undefined while it is idle: bytes that arrive then are no response. */
  exchange: Exchange | undefined;
}

/**
 * An HTTP/1.1 client for webhook receivers, which are not trusted. It dials the address that was checked, has one
 * deadline, limits the header section, keeps at most 4 KiB of a body, follows no redirect, and closes a connection
 * after anything unusual.
 *
 * @throws when `node:tls` cannot read the `tls` options
 * @see docs/decisions/transport.md
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { resolve = createSystemResolver(), tls = {}, maximumIdle = 1_024, ...policy } = options;
  const secureContext = createTlsContext(tls);
  const guardedLookup = createGuardedLookup(resolve);
  const openLookup = createGuardedLookup(resolve, { allow: () => true });
  const endpointOf = createEndpointCache(policy);
  const deadlines = createDeadlines<Connection>({ onDue, keepsProcess: true });
  const pools = createConnectionPools<Connection>({ maximumIdle });
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
    const { accountId, freshConnection, startedAt } = exchange;
    const idle = freshConnection ? undefined : pools.take(accountId, endpoint.origin, startedAt);
    const connection = idle ?? connect(endpoint, exchange);
    if (exchange.isRepeated) beginRestOfDeadline(connection, exchange);
    else deadlines.begin(connection, startedAt, timeoutMs);
    if (idle === undefined) return;
    idle.parser.restart();
    write(idle, exchange, endpoint);
  }

  /** A deadline may not begin in the past, so what is left of it begins now. */
  function beginRestOfDeadline(connection: Connection, { startedAt, timeoutMs }: Exchange): void {
    const now = performance.now();
    deadlines.begin(connection, now, Math.max(1, Math.ceil(startedAt + timeoutMs - now)));
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
    const pool = pools.open(exchange.accountId, origin);
    const facts = { hostname: endpoint.hostname, port: endpoint.port, certificate: undefined };
    const connection: Connection = {
      socket,
      pool,
      parser,
      facts,
      exchange,
      isReused: false,
      deadline: noDeadline(),
    };
    let verified = false;
    open.add(connection);
    // The attempt's deadline keeps the process alive. An idle connection must not.
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
    if (unsent === undefined) throw new Error("the request was already sent");
    // On a reused connection it may have to be repeated.
    if (!connection.isReused) exchange.unsent = undefined;
    const { body, headerLines } = unsent;
    writeRequest(connection.socket, { lines: requestPrefix + headerLines, body, secure });
  }

  function onData(connection: Connection, chunk: Buffer, length: number): void {
    const { exchange, parser } = connection;
    if (exchange === undefined) return discard(connection);
    if (exchange.phase === "exchange") onFirstByte(connection, exchange);
    try {
      parser.push(chunk, length);
    } catch (error) {
      // It may be the rest of an earlier response.
      if (connection.isReused) pools.reuseFailed(connection, exchange.startedAt);
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

  function onFirstByte(connection: Connection, exchange: Exchange): void {
    exchange.phase = "response";
    if (!connection.isReused) return;
    exchange.unsent = undefined;
    pools.reuseWorked(connection);
  }

  function onBroken(connection: Connection, error: NodeJS.ErrnoException | undefined): void {
    const { exchange, isReused, pool } = connection;
    const isStale = isReused && exchange?.phase === "exchange";
    if (isStale) pools.reuseFailed(connection, exchange.startedAt);
    discard(connection);
    if (exchange === undefined) return;
    if (connection.parser.head !== undefined) return finish(connection, exchange);
    if (isLackOfDescriptors(error) && !exchange.isRepeated) return settleAsNotBegun(exchange, error);
    sessions.forget(pool.origin);
    if (isStale) return repeat(exchange);
    settleWithFailure(exchange, toFailure(exchange.phase, error, connection.facts));
  }

  /** The receiver closed the idle connection while the request was on its way: the usual race of keep-alive (RFC 9112 §9.3.1). */
  function repeat(exchange: Exchange): void {
    exchange.freshConnection = true;
    exchange.isRepeated = true;
    begin(exchange);
  }

  function onDue(connection: Connection): void {
    const { exchange, isReused, pool } = connection;
    if (exchange === undefined) return;
    if (exchange.headAt !== undefined) return finish(connection, exchange);
    // It is not repeated: the receiver may be handling it.
    if (isReused && exchange.phase === "exchange") pools.reuseFailed(connection, exchange.startedAt);
    discard(connection);
    sessions.forget(pool.origin);
    const { phase, timeoutMs, startedAt, connectedAt } = exchange;
    const connectedAfterMs = connectedAt === undefined ? undefined : connectedAt - startedAt;
    settleWithFailure(exchange, toTimeout(phase, timeoutMs, connectedAfterMs));
  }

  /** The head has arrived, so the status is known. Keeps the connection or closes it. */
  function finish(connection: Connection, exchange: Exchange): void {
    const { head, state, body } = connection.parser;
    if (head === undefined) return;
    deadlines.end(connection);
    connection.exchange = undefined;
    // A receiver that responds without reading the request would make unread requests pile up here.
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
    // Inflating takes a while, and the memory of this read is used for the next one.
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
    if (open.has(connection)) pools.put(connection, keepAlive, now);
  }

  function discard(connection: Connection): void {
    if (!open.delete(connection)) return;
    connection.exchange = undefined;
    deadlines.end(connection);
    pools.remove(connection);
    connection.socket.destroy();
  }

  async function close(): Promise<void> {
    closed = true;
    pools.close();
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
