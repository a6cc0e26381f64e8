/** Seconds from the end of a failed attempt to the next one: 29 min 15 s in all (specification, section 3.2). */
export const defaultRetryDelaysSeconds: readonly number[] = [15, 60, 240, 540, 900];

/** Tries of one delivery under the default delays: the first, and one after each delay. */
export const maximumTries = 6;

const jitter = 0.1;

export interface RetryDelayInput {
  /** Attempts of this delivery that have failed, at least 1. */
  readonly attemptsMade: number;
  /** @default defaultRetryDelaysSeconds */
  readonly delaysSeconds?: readonly number[] | undefined;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
}

/**
 * Whole milliseconds to wait before the next try, the delay ±10 %; undefined when no tries are left. The jitter
 * keeps deliveries that failed together in one outage from coming back together.
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
