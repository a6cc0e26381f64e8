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
const longestBackoffMs = 8_000;
/** Requests that were refused together do not come back in the same millisecond. */
const spreadMs = 250;

/** A gateway that has lost its server, and an API whose storage is away. A 500 is a fault, and repeating it finds it again. */
const awayStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Milliseconds until the next attempt; undefined where there should be none. */
export function retryDelayMs({
  error,
  operation,
  attempts,
  longestWaitMs,
  random,
}: RetryDelayInput): number | undefined {
  if (!isWorthRepeating(error, operation)) return undefined;
  const { retryAfterSeconds } = error;
  // A wait of nothing, such as a date that is over, would spend all attempts within a moment.
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0) {
    const askedMs = retryAfterSeconds * 1_000;
    return askedMs > longestWaitMs ? undefined : askedMs + Math.floor(random() * spreadMs);
  }
  // Half of it for certain, half by chance.
  const backoffMs = Math.min(firstDelayMs * 2 ** (attempts - 1), longestBackoffMs, longestWaitMs);
  return Math.floor((backoffMs * (1 + random())) / 2);
}

function isWorthRepeating({ code, status }: ClientError, { repeatable }: Operation): boolean {
  if (status === 429) return true;
  return repeatable && (code === "network_failure" || code === "timeout" || awayStatuses.has(status));
}
