import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { SecureContextOptions } from "node:tls";
import { permitsAddress } from "@hookwright/domain";
import type { ProxyTarget, TargetPolicy } from "@hookwright/domain";
import { DeliveryError } from "../delivery-error.ts";
import type { Answer } from "./answer.ts";
import { createConnectionPools } from "./connection-pools.ts";
import type { PooledConnection } from "./connection-pools.ts";
import { Deadline } from "./deadline.ts";
import { codeOf, createCheckedLookup, createSystemResolver, isDescriptorShortage } from "./dns-lookup.ts";
import type { Resolve } from "./dns-lookup.ts";
import { createTargetParser } from "./target.ts";
import type { Target } from "./target.ts";
import { decodeExcerpt } from "./excerpt.ts";
import type { Excerpt } from "./excerpt.ts";
import { describeStatus, shutDown, toBlockedUrl, toDetail, toFailure, toTimeout } from "./failure.ts";
import type { Failure, Phase } from "./failure.ts";
import { headerValue } from "./answer.ts";
import { openSocket, openSocketInTunnel } from "./open-socket.ts";
import { createPhaseStarts, enterPhase, toConnectedAfter, toPhaseTimes } from "./phase-times.ts";
import type { PhaseStarts } from "./phase-times.ts";
import { createResponseParser, hasEnded } from "./response-parser.ts";
import type { ResponseHead, ResponseParser } from "./response-parser.ts";
import { createTlsContext, createTlsSessions } from "./tls.ts";
import { openTunnel } from "./tunnel.ts";
import type { TunnelProblem } from "./tunnel.ts";

export interface OutgoingRequest {
  /** Accounts never share a connection. */
  readonly accountId: string;
  readonly targetUrl: string;
  /** Header lines after `Host`, each ended by CRLF. `Content-Length` is added. */
  readonly headerLines: string;
  /** Sent as UTF-8. */
  readonly body: string;
  /** One deadline for name resolution, connection, TLS and the header section. */
  readonly timeoutMs: number;
  /** Opens a new connection, because an idle one might be stale. Set it for retries. @default false */
  readonly freshConnection?: boolean | undefined;
  /** Closes the connection, and the promise rejects with the reason. @default it ends by itself */
  readonly signal?: AbortSignal | undefined;
}

export interface Transport extends AsyncDisposable {
  /**
   * Sends one request. Every outcome that the receiver causes is an {@link Answer}.
   *
   * @throws {DeliveryError} `too_many_open_files`, `proxy_unavailable` or `source_address_unavailable`, and nothing was sent
   */
  send(request: OutgoingRequest): Promise<Answer>;
  /** Ends the requests in progress with class `reset` and closes every connection. */
  close(): Promise<void>;
}

export interface TransportOptions extends TargetPolicy {
  /** @default the system's resolver */
  readonly resolve?: Resolve | undefined;
  /** Extra certificate authorities, client certificates and the like, as `node:tls` takes them. */
  readonly tls?: SecureContextOptions | undefined;
  /**
   * Sends every request through this HTTP proxy (CONNECT), except those to `trustedOrigins`. The proxy resolves names, so it must
   * refuse private addresses. @default none
   */
  readonly proxy?: ProxyTarget | undefined;
  /** The source address, an IP address of this machine. @default the system chooses */
  readonly localAddress?: string | undefined;
  /** Idle connections that wait for the next delivery, over all accounts and origins. @default 1024 */
  readonly maximumIdle?: number | undefined;
}

/** After the header section the status is known. So the body gets only this long, or the attempt's time-out if that is shorter. */
const maximumBodyGraceMs = 1_000;

const tooManyOpenFiles =
  "No connection could be opened, because this process has as many files open as it may: raise its limit (ulimit -n, LimitNOFILE).";
const noSourceAddress =
  "No connection could be opened, because the source address for deliveries does not belong to this machine.";
const noNewConnection: Failure = {
  failure: "connect",
  detail: "The sender could not open another connection.",
};
const describeProxy = (reason: string): string => `The proxy for deliveries cannot be used: ${reason}.`;
const repeatedNote =
  "The reused connection broke before a response, so the request was sent again on a new one.";

/** One request and the answer that it waits for. */
interface Exchange extends Pick<OutgoingRequest, "accountId" | "timeoutMs"> {
  readonly target: Target;
  readonly startedAt: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Undefined once it cannot be written again: thousands of waiting attempts must not hold their bodies. */
  unsent: Pick<OutgoingRequest, "headerLines" | "body"> | undefined;
  phase: Phase;
  readonly phaseStarts: PhaseStarts;
  /** Whether the header section is complete, and only a part of the body is missing. */
  hasHead: boolean;
  /** Whether it is sent a second time, because the reused connection broke before a response. */
  isRepeated: boolean;
}

interface Connection extends PooledConnection<Connection> {
  /** First the connection to the proxy, if there is one. */
  socket: Socket;
  /** Undefined until bytes arrive. Most connections serve one request, so a parser is kept only from the second one on. */
  parser: ResponseParser | undefined;
  readonly target: Target;
  certificate: X509Certificate | undefined;
  /** Undefined while it is idle. */
  exchange: Exchange | undefined;
}

/**
 * An HTTP/1.1 client for webhook receivers, which are not trusted. It dials the address that was checked, has one deadline,
 * limits the header section, keeps at most 4 KiB of a body, follows no redirect, and closes a connection after anything unusual.
 *
 * @throws when `node:tls` cannot read the `tls` options
 * @see docs/decisions/transport.md
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { resolve = createSystemResolver(), tls = {}, maximumIdle = 1_024 } = options;
  const { proxy, localAddress, ...policy } = options;
  const secureContext = createTlsContext(tls);
  const checkedLookup = createCheckedLookup(resolve, (address, hostname) =>
    permitsAddress(address, hostname, policy),
  );
  const uncheckedLookup = createCheckedLookup(resolve, () => true);
  const parseTarget = createTargetParser(policy);
  const pools = createConnectionPools<Connection>(maximumIdle);
  const sessions = createTlsSessions();
  const open = new Set<Connection>();
  let isClosed = false;

  function send(request: OutgoingRequest): Promise<Answer> {
    const { accountId, targetUrl, timeoutMs, freshConnection = false, signal } = request;
    const startedAt = performance.now();
    if (isClosed) return Promise.resolve(toUntried(shutDown));
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const verdict = parseTarget(targetUrl);
    if (!verdict.ok) return Promise.resolve(toUntried(toBlockedUrl(verdict.reason)));
    const { target } = verdict;
    let sent: Exchange | undefined;
    const answered = new Promise<Answer>((resolveAnswer, reject) => {
      const exchange: Exchange = {
        accountId,
        target,
        timeoutMs,
        startedAt,
        resolve: resolveAnswer,
        reject,
        unsent: request,
        phase: "lookup",
        phaseStarts: createPhaseStarts(),
        hasHead: false,
        isRepeated: false,
      };
      sent = exchange;
      const idle = freshConnection ? undefined : pools.take(accountId, target.origin);
      if (idle === undefined) return connect(exchange, startedAt);
      assign(idle, exchange);
      write(idle, exchange, startedAt);
    });
    if (signal === undefined) return answered;
    const abort = (): void => {
      for (const connection of open) if (connection.exchange === sent) discard(connection);
      sent?.reject(signal.reason);
    };
    signal.addEventListener("abort", abort);
    return answered.finally(() => signal.removeEventListener("abort", abort));
  }

  function assign(connection: Connection, exchange: Exchange): void {
    connection.exchange = exchange;
    connection.deadline.set(exchange.startedAt + exchange.timeoutMs, true);
  }

  function connect(exchange: Exchange, now: number): void {
    const { accountId, target } = exchange;
    const { origin, isChecked, isSecure, isTrusted, serverName } = target;
    const socketOptions = {
      // It is not called for an IP literal, which was checked with the URL.
      lookup: isChecked ? checkedLookup : uncheckedLookup,
      secureContext,
      session: isSecure ? sessions.get(accountId, origin) : undefined,
      localAddress: isTrusted ? undefined : localAddress,
      onBytes: (memory: Buffer, length: number) => onBytes(connection, memory, length),
    };
    const isProxied = proxy !== undefined && !isTrusted;
    enterPhase(exchange, isProxied ? "proxy" : serverName === undefined ? "connect" : "lookup", now);
    const openProxied = (proxyTarget: ProxyTarget): Socket =>
      openTunnel(target, {
        proxy: proxyTarget,
        localAddress,
        authorities: tls.ca,
        onConnect() {
          enterPhase(exchange, "tunnel", performance.now());
        },
        onOpen() {
          connection.socket = openSocketInTunnel(connection.socket, target, socketOptions);
          connection.socket.unref();
          observe(connection, exchange);
          onConnected(connection, exchange);
        },
        onProblem: (problem) => onTunnelProblem(connection, problem),
      });
    const connection: Connection = {
      socket: isProxied ? openProxied(proxy) : openSocket(target, socketOptions),
      pool: pools.open(accountId, origin),
      parser: undefined,
      target,
      certificate: undefined,
      isReused: false,
      exchange: undefined,
      deadline: new Deadline(() => onDue(connection)),
    };
    open.add(connection);
    assign(connection, exchange);
    // The attempt's deadline keeps the process alive. An idle connection must not.
    connection.socket.unref();
    if (!isProxied) observe(connection, exchange);
  }

  /** Follows a new connection to the endpoint. */
  function observe(connection: Connection, exchange: Exchange): void {
    const { socket, target } = connection;
    socket.on("lookup", (error: Error | null) => {
      if (error === null) enterPhase(exchange, "connect", performance.now());
    });
    socket.once("connect", () => onConnected(connection, exchange));
    if (target.isSecure) observeTls(connection, exchange);
    socket.on("error", (error: NodeJS.ErrnoException) => onBroken(connection, error));
    socket.on("end", () => onBroken(connection, undefined));
    socket.on("close", () => onBroken(connection, undefined));
  }

  function observeTls(connection: Connection, exchange: Exchange): void {
    const { socket, pool } = connection;
    // Before Node verifies it: a certificate that was refused can no longer be read.
    socket.prependOnceListener("secure", () => {
      if (socket instanceof TLSSocket) connection.certificate = socket.getPeerX509Certificate();
    });
    let isVerified = false;
    socket.once("secureConnect", () => {
      isVerified = true;
      connection.certificate = undefined;
      write(connection, exchange, performance.now());
    });
    socket.on("session", (session: Buffer) => {
      if (isVerified) sessions.set(pool.account.id, pool.origin, session);
    });
  }

  function onConnected(connection: Connection, exchange: Exchange): void {
    if (connection.target.isSecure) enterPhase(exchange, "tls", performance.now());
    else write(connection, exchange, performance.now());
  }

  function onTunnelProblem(connection: Connection, problem: TunnelProblem): void {
    if (problem.type === "failed") return fail(connection, problem.failure);
    const { reason, cause } = problem;
    rejectUnsent(
      connection,
      toUnsent(cause) ?? new DeliveryError("proxy_unavailable", describeProxy(reason), { cause }),
    );
  }

  /** The receiver did not cause it, so the attempt does not count. */
  function rejectUnsent(connection: Connection, error: DeliveryError): void {
    const { exchange } = connection;
    // The receiver may have the request from the first connection.
    if (exchange?.isRepeated === true) return fail(connection, noNewConnection);
    discard(connection);
    exchange?.reject(error);
  }

  function write(connection: Connection, exchange: Exchange, now: number): void {
    const { unsent, target } = exchange;
    if (unsent === undefined) throw new Error("the request was already sent");
    enterPhase(exchange, "exchange", now);
    // On a reused connection it may have to be repeated.
    if (!connection.isReused) exchange.unsent = undefined;
    const { headerLines, body } = unsent;
    const head = `${target.requestStart}${headerLines}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    connection.socket.write(head + body);
  }

  function onBytes(connection: Connection, memory: Buffer, length: number): void {
    const { exchange, isReused } = connection;
    // No request is waiting, so the bytes are not a response.
    if (exchange === undefined) return discard(connection);
    const now = performance.now();
    const parser = (connection.parser ??= createResponseParser({ cachesHead: isReused }));
    if (exchange.phase === "exchange") {
      enterPhase(exchange, "response", now);
      exchange.unsent = undefined;
      if (isReused) pools.reuseWorked(connection);
    }
    parser.push(memory, length);
    if (parser.problem !== undefined) {
      // It may be the rest of an earlier response.
      if (isReused) pools.reuseFailed(connection, exchange.startedAt);
      return fail(connection, { failure: "protocol", detail: toDetail(parser.problem) });
    }
    if (parser.head === undefined) return;
    if (hasEnded(parser.state)) return finish(connection, exchange, parser, parser.head, now);
    if (exchange.hasHead) return;
    exchange.hasHead = true;
    connection.deadline.set(now + Math.min(maximumBodyGraceMs, exchange.timeoutMs), true);
  }

  function onBroken(connection: Connection, error: NodeJS.ErrnoException | undefined): void {
    const { exchange, target, certificate, parser, pool } = connection;
    if (exchange === undefined) return discard(connection);
    if (parser?.head !== undefined)
      return finish(connection, exchange, parser, parser.head, performance.now());
    const unsent = toUnsent(error);
    if (unsent !== undefined) return rejectUnsent(connection, unsent);
    if (connection.isReused && exchange.phase === "exchange") {
      // The receiver closed the idle connection while the request was on its way (RFC 9112 §9.3.1).
      pools.reuseFailed(connection, exchange.startedAt);
      discard(connection);
      sessions.delete(pool.account.id, pool.origin);
      exchange.isRepeated = true;
      exchange.phaseStarts.fill(-1);
      return connect(exchange, performance.now());
    }
    fail(connection, toFailure(exchange.phase, error, { ...target, certificate }));
  }

  function onDue(connection: Connection): void {
    const { exchange, isReused, parser } = connection;
    if (exchange === undefined) return discard(connection);
    if (parser?.head !== undefined)
      return finish(connection, exchange, parser, parser.head, performance.now());
    const { phase, timeoutMs, startedAt, phaseStarts } = exchange;
    if (phase === "proxy")
      return onTunnelProblem(connection, {
        type: "unavailable",
        reason: "it did not accept the connection in time",
      });
    // It is not repeated: the receiver may be working on it.
    if (isReused && phase === "exchange") pools.reuseFailed(connection, startedAt);
    fail(connection, toTimeout(phase, timeoutMs, isReused ? undefined : toConnectedAfter(phaseStarts)));
  }

  function fail(connection: Connection, { failure, detail }: Failure): void {
    const { exchange, pool } = connection;
    discard(connection);
    sessions.delete(pool.account.id, pool.origin);
    if (exchange === undefined) return;
    const fullDetail = exchange.isRepeated ? toDetail(`${detail} ${repeatedNote}`) : detail;
    exchange.resolve({
      ...toUntried({ failure, detail: fullDetail }),
      ...toPhaseTimes(exchange, performance.now()),
    });
  }

  /** The status is known. Settles the exchange, and keeps or closes the connection. */
  function finish(
    connection: Connection,
    exchange: Exchange,
    parser: ResponseParser,
    head: ResponseHead,
    now: number,
  ): void {
    const { socket, deadline, isReused } = connection;
    deadline.clear();
    connection.exchange = undefined;
    // A receiver that responds without reading the request would make unread requests accumulate here.
    if (parser.state !== "complete" || socket.writableLength > 0) discard(connection);
    const settle = ({ text, isWhole }: Excerpt): void => {
      if (!isWhole) discard(connection);
      if (open.has(connection)) {
        if (isReused) parser.restart();
        else connection.parser = undefined;
        pools.put(connection, headerValue(head.headers, "keep-alive"));
      }
      exchange.resolve(toAnswer(exchange, { head, endedAt: now, excerpt: text }));
    };
    const excerpt = decodeExcerpt(parser.body(), headerValue(head.headers, "content-encoding"));
    if (excerpt instanceof Promise) void excerpt.then(settle);
    else settle(excerpt);
  }

  function discard(connection: Connection): void {
    if (!open.delete(connection)) return;
    connection.exchange = undefined;
    connection.deadline.close();
    pools.remove(connection);
    connection.socket.destroy();
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const connection of open) fail(connection, shutDown);
  }

  return { send, close, [Symbol.asyncDispose]: close };
}

/** Undefined for an error that the receiver can cause. */
function toUnsent(cause: unknown): DeliveryError | undefined {
  if (isDescriptorShortage(cause))
    return new DeliveryError("too_many_open_files", tooManyOpenFiles, { cause });
  const isBind = cause instanceof Error && "syscall" in cause && cause.syscall === "bind";
  return isBind && codeOf(cause) === "EADDRNOTAVAIL"
    ? new DeliveryError("source_address_unavailable", noSourceAddress, { cause })
    : undefined;
}

function toUntried({ failure, detail }: Failure): Answer {
  return {
    status: null,
    headers: [],
    excerpt: "",
    failure,
    detail,
    durationMs: 0,
    phases: createPhaseStarts(),
  };
}

function toAnswer(
  exchange: Exchange,
  response: { readonly head: ResponseHead; readonly endedAt: number; readonly excerpt: string },
): Answer {
  const { head, endedAt, excerpt } = response;
  const { status, headers, ignoredLines } = head;
  const isAccepted = status >= 200 && status < 300;
  const sentences = isAccepted ? [] : [describeStatus(status, headers)];
  if (ignoredLines > 0)
    sentences.push(`${ignoredLines} malformed header line${ignoredLines === 1 ? " was" : "s were"} ignored.`);
  if (exchange.isRepeated) sentences.push(repeatedNote);
  const detail = sentences.length === 0 ? null : toDetail(sentences.join(" "));
  const { durationMs, phases } = toPhaseTimes(exchange, endedAt);
  return { status, headers, excerpt, failure: isAccepted ? null : "status", detail, durationMs, phases };
}
