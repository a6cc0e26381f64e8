import { DeliveryError } from "../delivery-error.ts";
import type { Answer } from "./answer.ts";
import { describeStatus } from "./describe-failure.ts";
import { toDetail } from "./failure.ts";
import type { Failure, Phase } from "./failure.ts";
import type { ResponseHead } from "./response-head.ts";

export interface OutgoingRequest {
  /** Accounts never share a connection. */
  readonly accountId: string;
  readonly targetUrl: string;
  /** Header lines after `Host`, each ended by CRLF; `Content-Length` is added when it is written. */
  readonly headerLines: string;
  /** Sent as UTF-8. */
  readonly body: string;
  /** One deadline over name resolution, connection, TLS and the header section. */
  readonly timeoutMs: number;
  /** Opens a new connection, where an idle one might be stale. Set it for retries. @default false */
  readonly freshConnection?: boolean | undefined;
}

/** One request and the answer it waits for. */
export interface Exchange {
  readonly accountId: string;
  readonly targetUrl: string;
  readonly timeoutMs: number;
  /** Undefined once it cannot be written again, so that an attempt that waits long holds no memory for its request. */
  unsent: Pick<OutgoingRequest, "headerLines" | "body"> | undefined;
  freshConnection: boolean;
  /** Whether it is sent a second time, because the reused connection broke before a response. */
  isRepeated: boolean;
  readonly startedAt: number;
  phase: Phase;
  /** When a connection was made for it. Undefined on one that was open already. */
  connectedAt: number | undefined;
  /** When the header section came whole. */
  headAt: number | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: DeliveryError) => void;
}

export function createExchange(
  request: OutgoingRequest,
  { resolve, reject }: Pick<Exchange, "resolve" | "reject">,
): Exchange {
  const { accountId, targetUrl, timeoutMs, freshConnection = false } = request;
  return {
    accountId,
    targetUrl,
    timeoutMs,
    unsent: request,
    freshConnection,
    isRepeated: false,
    startedAt: performance.now(),
    phase: "lookup",
    connectedAt: undefined,
    headAt: undefined,
    resolve,
    reject,
  };
}

/** It was not an attempt: nothing left this machine. */
export function settleAsNotBegun(exchange: Exchange, cause: unknown): void {
  const message =
    "No connection could be opened, because this process has as many files open as it may: raise its limit (ulimit -n, LimitNOFILE).";
  exchange.reject(new DeliveryError("too_many_open_files", message, { cause }));
}

export function settleWithFailure(exchange: Exchange, { failure, detail }: Failure): void {
  const durationMs = performance.now() - exchange.startedAt;
  const fullDetail = exchange.isRepeated ? toDetail(`${detail} ${repeatedNote}`) : detail;
  exchange.resolve({ status: null, headers: [], excerpt: "", failure, detail: fullDetail, durationMs });
}

export function settleWithAnswer(
  exchange: Exchange,
  { status, headers, ignoredLines }: ResponseHead,
  { headAt, excerpt }: { readonly headAt: number; readonly excerpt: string },
): void {
  const accepted = status >= 200 && status < 300;
  exchange.resolve({
    status,
    headers,
    excerpt,
    failure: accepted ? null : "status",
    detail: toDetailOrNull([
      ...(accepted ? [] : [describeStatus(status, headers)]),
      ...describeIgnoredLines(ignoredLines),
      ...(exchange.isRepeated ? [repeatedNote] : []),
    ]),
    durationMs: headAt - exchange.startedAt,
  });
}

const repeatedNote =
  "The reused connection broke before a response, so the request was sent again on a new one.";

function describeIgnoredLines(count: number): string[] {
  if (count === 0) return [];
  return [
    count === 1 ? "1 malformed header line was ignored." : `${count} malformed header lines were ignored.`,
  ];
}

function toDetailOrNull(sentences: readonly string[]): string | null {
  return sentences.length === 0 ? null : toDetail(sentences.join(" "));
}
