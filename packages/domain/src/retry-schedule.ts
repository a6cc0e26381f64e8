/** Seconds from the end of a failed attempt to the next one: 29 min 15 s in all (specification, section 3.2). */
export const defaultRetryDelaysSeconds: readonly number[] = [15, 60, 240, 540, 900];

/** The number of attempts with the default delays: the first, and one after each delay. */
export const maximumTries = 6;

const jitter = 0.1;

export interface RetryDelayInput {
  /** The number of failed attempts, at least 1. */
  readonly attemptsMade: number;
  /** @default defaultRetryDelaysSeconds */
  readonly delaysSeconds?: readonly number[] | undefined;
  /** Returns a number from 0 to 1, like `Math.random`. */
  readonly random: () => number;
}

/**
 * Returns the milliseconds until the next attempt, the delay ±10 %, or `undefined` if no attempts are left.
 * The jitter spreads the retries of deliveries that failed together.
 *
 * @example retryDelayMs({ attemptsMade: 1, random: () => 0.5 }) // 15000
 */
export function retryDelayMs({
  attemptsMade,
  delaysSeconds = defaultRetryDelaysSeconds,
  random,
}: RetryDelayInput): number | undefined {
  const seconds = delaysSeconds[attemptsMade - 1];
  if (seconds === undefined) return undefined;
  return Math.round(seconds * 1_000 * (1 - jitter + 2 * jitter * random()));
}
