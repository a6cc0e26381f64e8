import { beginningOf } from "./beginning-of.ts";
import type { AttemptError } from "./attempt-errors.ts";
import { readFailureLine } from "./failure-line.ts";
import type { Attempt, AttemptPhases } from "./resources/delivery.ts";

export type ExplainedAttempt = Pick<
  Attempt,
  "status" | "error" | "detail" | "excerpt" | "duration_ms" | "phases"
>;

/** What came of an attempt, and who took its time, in words. */
export interface AttemptExplanation {
  /** Without a full stop if `quote` follows. @example "Your endpoint took 340 of 385 ms and answered 500" */
  readonly outcome: string;
  /** The line of a refusing response that says most. It is the text of a stranger. */
  readonly quote: string | null;
  /** Sentences that follow. Null: none. */
  readonly note: string | null;
}

/** For attempts without a `detail`, such as those of an earlier version. */
const reasons: Readonly<Record<AttemptError, string>> = {
  timeout: "No complete response arrived within the time limit.",
  dns: "The host name could not be resolved. Check its DNS records.",
  blocked_address: "The host name resolves to an address that is not public. No request was sent.",
  connect: "No connection was possible. Nothing listens there, or a firewall blocks it.",
  tls: "The TLS handshake failed. Check the name, the date and the chain of the certificate.",
  reset: "The connection closed before the response arrived.",
  protocol: "The response was not valid HTTP.",
  status: "The endpoint did not respond with a 2xx status. Redirects are not followed.",
};

/** What an attempt without a response met, and what to do, in one or two sentences. */
export function describeError(error: AttemptError): string {
  return reasons[error];
}

/** From here on, a wait in the queue is worth a sentence. */
const longQueueMs = 1_000;
/** Below, it makes no difference that the network took longer than the endpoint. */
const slowNetworkMs = 100;
const longestQuote = 160;

/**
 * Says in one or two sentences whose time an attempt took (our queue, the network, the endpoint), and what came of it.
 *
 * @example sayAttempt(attempt) // "Your endpoint took 340 of 385 ms and answered 500: `vat_id` of undefined"
 */
export function sayAttempt(attempt: ExplainedAttempt): string {
  const { outcome, quote, note } = explainAttempt(attempt);
  const first = quote === null ? outcome : `${outcome}: ${quote}`;
  return note === null ? first : `${endSentence(first)} ${note}`;
}

/** The parts of {@link sayAttempt}, for a page that shows the quote in another form. */
export function explainAttempt(attempt: ExplainedAttempt): AttemptExplanation {
  const { queued_ms } = attempt.phases;
  const {
    outcome,
    quote = null,
    note,
  } = attempt.status === null ? explainFailure(attempt) : explainAnswer(attempt);
  const queued =
    queued_ms === null || queued_ms < longQueueMs
      ? undefined
      : `Before that, it waited ${formatMs(queued_ms)} in our queue. Gaps after earlier failures count there too.`;
  const notes = [note, queued].filter((text) => text !== undefined);
  return {
    outcome: quote === null ? endSentence(outcome) : outcome,
    quote,
    note: notes.length === 0 ? null : notes.join(" "),
  };
}

function endSentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

interface Parts {
  readonly outcome: string;
  readonly quote?: string | null;
  readonly note?: string | undefined;
}

function explainAnswer(attempt: ExplainedAttempt): Parts {
  const { status, error, detail, excerpt } = attempt;
  const answered = `${describeTime(attempt)} ${status}`;
  if (error === null) return { outcome: answered, note: detail ?? undefined };
  // The detail begins with the status: "The endpoint answered 302 with Location …".
  const more = /^The endpoint answered \d{3}(.*)$/su.exec(detail ?? "")?.[1] ?? "";
  if (/^[^.]/u.test(more)) return { outcome: answered + more };
  return { outcome: answered, quote: quoteOf(excerpt ?? ""), note: more.slice(2) || undefined };
}

/** Who took most of the time until an answer. */
function describeTime({ duration_ms, phases }: ExplainedAttempt): string {
  const endpointMs = endpointMsOf(phases);
  if (endpointMs === undefined) return `After ${formatMs(duration_ms)}, your endpoint answered`;
  const networkMs = duration_ms - endpointMs;
  return networkMs < slowNetworkMs || networkMs <= endpointMs
    ? `Your endpoint took ${formatShare(endpointMs, duration_ms)} and answered`
    : `The network took ${formatShare(networkMs, duration_ms)} (${nameSlowest(phases)}), and your endpoint answered`;
}

function explainFailure(attempt: ExplainedAttempt): Parts {
  const { error, detail, duration_ms, phases } = attempt;
  const { dns_ms, connect_ms, tls_ms } = phases;
  const note = detail ?? reasons[error ?? "reset"];
  const endpointMs = endpointMsOf(phases);
  const isLate = error === "timeout";
  const total = formatMs(duration_ms);
  if (endpointMs !== undefined) {
    const broken = phases.read_ms === null ? "answered nothing" : "did not complete its response";
    const what =
      isLate || error === "reset"
        ? broken
        : error === "tls"
          ? "refused the connection"
          : "answered, but not in HTTP";
    return { outcome: `Your endpoint took ${formatShare(endpointMs, duration_ms)} and ${what}`, note };
  }
  if (tls_ms !== null)
    return {
      outcome: `Your endpoint ${isLate ? "did not complete" : "failed"} the TLS handshake: it took ${formatShare(tls_ms, duration_ms)}`,
      note,
    };
  if (connect_ms !== null)
    return {
      outcome: `Your endpoint could not be reached: connecting took ${formatShare(connect_ms, duration_ms)}`,
      note,
    };
  if (dns_ms !== null) return { outcome: `Nothing was sent: DNS took ${total}`, note };
  return { outcome: note };
}

/** Undefined: it has got no request, or the phases were not stored. */
function endpointMsOf({ wait_ms, read_ms }: AttemptPhases): number | undefined {
  return wait_ms === null ? undefined : wait_ms + (read_ms ?? 0);
}

function nameSlowest({ dns_ms, connect_ms, tls_ms }: AttemptPhases): string {
  const [dns, connect, tls] = [dns_ms ?? 0, connect_ms ?? 0, tls_ms ?? 0];
  const slowest = Math.max(dns, connect, tls);
  return `${slowest === dns ? "DNS" : slowest === tls ? "TLS" : "connecting"} ${formatMs(slowest)}`;
}

/** The line of a response that says most, of limited length. Null: there is none. */
function quoteOf(text: string): string | null {
  // Controls and marks of direction would change the text around it.
  const line = readFailureLine(text)
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  if (line === "") return null;
  return line.length > longestQuote ? `${beginningOf(line, longestQuote - 1)}…` : line;
}

/** A time from which on seconds alone are hard to read. */
const longMs = 119_500;

/** @example formatMs(2.84) // "2.8 ms", also "340 ms", "1.25 s", "10.0 s", "14 min 5 s" and "2 h 0 min" */
export function formatMs(ms: number): string {
  if (ms >= longMs) {
    const seconds = Math.round(ms / 1_000);
    const minutes = Math.floor(seconds / 60);
    return minutes < 60
      ? `${minutes} min ${seconds % 60} s`
      : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  return `${formatAs(ms, ms)} ${unitOf(ms)}`;
}

/** @example formatShare(340, 385) // "340 of 385 ms" */
function formatShare(ms: number, totalMs: number): string {
  const [part, total] = [formatAs(ms, totalMs), formatMs(totalMs)];
  return total.startsWith(`${part} `) ? total : `${part} of ${total}`;
}

function unitOf(ms: number): "ms" | "s" {
  return ms < 999.5 ? "ms" : "s";
}

/** A duration in the unit and with the decimals of another one. */
function formatAs(ms: number, otherMs: number): string {
  if (unitOf(otherMs) === "s") return (ms / 1_000).toFixed(otherMs < 9_995 ? 2 : 1);
  return ms.toFixed(otherMs < 9.95 ? 1 : 0);
}
