import type { FailureClass } from "./answer.ts";
import { BlockedAddressError, ResolveError } from "./guarded-lookup.ts";
import { explainTlsError } from "./tls-error.ts";

/**
 * How far an attempt has come. `exchange`: the request is being written, and no byte of a response has come.
 * `response`: a part of the status line and headers has come.
 */
export type Phase = "lookup" | "connect" | "tls" | "exchange" | "response";

export interface Failure {
  readonly failure: FailureClass;
  readonly detail: string;
}

/** A certificate may carry a hundred thousand names, and OpenSSL's messages quote them. */
const maximumDetailLength = 300;

const waitingFor: Readonly<Record<Phase, string>> = {
  lookup: "while the name was being resolved",
  connect: "while connecting",
  tls: "during the TLS handshake",
  exchange: "while waiting for the status line and headers",
  response: "while reading the status line and headers",
};

export function toTimeout(phase: Phase, timeoutMs: number): Failure {
  return { failure: "timeout", detail: `no answer within ${timeoutMs} ms (${waitingFor[phase]})` };
}

/** Says of a connection that broke before it answered which class of failure that is (contract §7). */
export function toFailure(phase: Phase, error: NodeJS.ErrnoException | undefined): Failure {
  const { failure, detail } = classify(phase, error);
  return { failure, detail: toDetail(detail) };
}

/** One line of bounded length, whatever a receiver put into it. */
export function toDetail(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > maximumDetailLength ? `${line.slice(0, maximumDetailLength - 1)}…` : line;
}

function classify(phase: Phase, error: NodeJS.ErrnoException | undefined): Failure {
  if (error instanceof BlockedAddressError) return { failure: "blocked_address", detail: error.message };
  if (error instanceof ResolveError) return { failure: "dns", detail: error.message };
  if (phase === "lookup") return { failure: "dns", detail: describe(error) };
  if (phase === "connect") return { failure: "connect", detail: describe(error) };
  const explanation = error === undefined ? undefined : explainTlsError(error);
  // A receiver that wants a certificate of ours says so only after the handshake (TLS 1.3).
  if (explanation !== undefined) return { failure: "tls", detail: explanation };
  if (phase === "tls") return { failure: "tls", detail: `during the TLS handshake: ${describe(error)}` };
  return { failure: "reset", detail: describe(error) };
}

function describe(error: NodeJS.ErrnoException | undefined): string {
  if (error === undefined) return "the receiver closed the connection before it answered";
  // Of several addresses each was tried.
  if (error instanceof AggregateError) {
    return error.errors
      .map((each: unknown) => (each instanceof Error ? each.message : String(each)))
      .join("; ");
  }
  return error.code === undefined || error.message.includes(error.code)
    ? error.message
    : `${error.code}: ${error.message}`;
}
