import { DeliveryError } from "../delivery-error.ts";
import type { Answer } from "./answer.ts";
import type { Failure, Phase } from "./failure.ts";
import type { ResponseHead } from "./response-head.ts";

export interface OutgoingRequest {
  readonly targetUrl: string;
  /** Header lines after `Host`, each ended by CRLF; `Content-Length` is added when it is written. */
  readonly headerLines: string;
  /** Sent as UTF-8. */
  readonly body: string;
  /** One deadline over name resolution, connection, TLS and the header section. */
  readonly timeoutMs: number;
}

/** One request and the answer it waits for. */
export interface Exchange {
  readonly targetUrl: string;
  readonly timeoutMs: number;
  /** Until it is written: an attempt may wait long for its answer, and need not hold on to what it has sent. */
  unsent: Pick<OutgoingRequest, "headerLines" | "body"> | undefined;
  readonly startedAt: number;
  phase: Phase;
  /** When the header section came whole. */
  headAt: number | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: DeliveryError) => void;
}

export function createExchange(
  request: OutgoingRequest,
  { resolve, reject }: Pick<Exchange, "resolve" | "reject">,
): Exchange {
  const { targetUrl, timeoutMs } = request;
  return {
    targetUrl,
    timeoutMs,
    unsent: request,
    startedAt: performance.now(),
    phase: "lookup",
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
  exchange.resolve({ status: null, headers: [], excerpt: "", failure, detail, durationMs });
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
    detail: describeIgnored(ignoredLines),
    durationMs: headAt - exchange.startedAt,
  });
}

function describeIgnored(lines: number): string | null {
  if (lines === 0) return null;
  return lines === 1
    ? "1 malformed header line was ignored"
    : `${lines} malformed header lines were ignored`;
}
