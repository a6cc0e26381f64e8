import type { ClientError } from "../client-error.ts";
import type { Operation } from "../operations.ts";

export interface RetryDelayInput {
  readonly error: ClientError;
  readonly operation: Operation;
  /** Attempts made so far, 1 or more. */
  readonly attempts: number;
  readonly longestWaitMs: number;
  readonly random: () => number;
}

const firstDelayMs = 500;
const maxBackoffMs = 8_000;
/** Spreads the retries of requests that were rejected together. */
const spreadMs = 250;

/** Temporary failures of a gateway or the storage. A 500 is a permanent error. */
const temporaryStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Returns the milliseconds until the next attempt, or `undefined` if there should be none. */
export function retryDelayMs({
  error,
  operation,
  attempts,
  longestWaitMs,
  random,
}: RetryDelayInput): number | undefined {
  if (!isRetryable(error, operation)) return undefined;
  const { retryAfterSeconds } = error;
  // Ignore a wait of 0, for example a past date, which would use up all attempts at once.
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0) {
    const requestedMs = retryAfterSeconds * 1_000;
    return requestedMs > longestWaitMs ? undefined : requestedMs + Math.floor(random() * spreadMs);
  }
  // One half is fixed, the other is random.
  const backoffMs = Math.min(firstDelayMs * 2 ** (attempts - 1), maxBackoffMs, longestWaitMs);
  return Math.floor((backoffMs * (1 + random())) / 2);
}

function isRetryable({ code, status }: ClientError, { repeatable }: Operation): boolean {
  if (status === 429) return true;
  return repeatable && (code === "network_failure" || code === "timeout" || temporaryStatuses.has(status));
}
