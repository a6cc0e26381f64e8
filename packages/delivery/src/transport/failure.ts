import type { FailureClass } from "./answer.ts";
import {
  describeBroken,
  describeConnect,
  describeLookup,
  describeTimeout,
  describeTls,
} from "./describe-failure.ts";
import type { FailedConnection, Phase } from "./describe-failure.ts";
import { BlockedAddressError, ResolveError } from "./guarded-lookup.ts";

export type { Phase } from "./describe-failure.ts";

export interface Failure {
  readonly failure: FailureClass;
  readonly detail: string;
}

/** A host name has up to 253 characters, and a receiver chooses what is quoted of it. */
const maximumDetailLength = 300;

/** @param connectedAfterMs undefined before there is a connection, and on one that was open already */
export function toTimeout(phase: Phase, timeoutMs: number, connectedAfterMs: number | undefined): Failure {
  return { failure: "timeout", detail: describeTimeout(phase, timeoutMs, connectedAfterMs) };
}

/** The class of the failure (contract §7) when a connection broke before a response, and the reason in words. */
export function toFailure(
  phase: Phase,
  error: NodeJS.ErrnoException | undefined,
  connection: FailedConnection,
): Failure {
  const { failure, detail } = classify(phase, error, connection);
  return { failure, detail: toDetail(detail) };
}

/** One line of bounded length, whatever a receiver put into it. */
export function toDetail(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > maximumDetailLength ? `${line.slice(0, maximumDetailLength - 1)}…` : line;
}

function classify(
  phase: Phase,
  error: NodeJS.ErrnoException | undefined,
  connection: FailedConnection,
): Failure {
  if (error instanceof BlockedAddressError) return { failure: "blocked_address", detail: error.message };
  if (error instanceof ResolveError) return { failure: "dns", detail: error.message };
  if (phase === "lookup") return { failure: "dns", detail: describeLookup(connection.hostname, error) };
  if (phase === "connect") return { failure: "connect", detail: describeConnect(error, connection) };
  const explanation = error === undefined ? undefined : describeTls(error, connection);
  // A receiver that wants a certificate of ours says so only after the handshake (TLS 1.3).
  if (explanation !== undefined) return { failure: "tls", detail: explanation };
  return { failure: phase === "tls" ? "tls" : "reset", detail: describeBroken(phase, error) };
}
