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
  /** How long the endpoint asks to wait, in milliseconds. @default 0: the schedule decides */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Returns the milliseconds until the next attempt, the delay ±10 %, or `undefined` if no attempts are left.
 * The jitter spreads the retries of deliveries that failed together.
 *
 * If the endpoint asks for more, it gets that, at most the delay of the next step of the schedule. The jitter then only
 * adds. The last step of the schedule has no next one, so it stays as it is.
 *
 * @example retryDelayMs({ attemptsMade: 1, random: () => 0.5 }) // 15000
 */
export function retryDelayMs({
  attemptsMade,
  delaysSeconds = defaultRetryDelaysSeconds,
  random,
  retryAfterMs = 0,
}: RetryDelayInput): number | undefined {
  const seconds = delaysSeconds[attemptsMade - 1];
  if (seconds === undefined) return undefined;
  const scheduledMs = toJitteredMs(seconds, random);
  const nextSeconds = delaysSeconds[attemptsMade];
  if (retryAfterMs <= scheduledMs || nextSeconds === undefined) return scheduledMs;
  const askedMs = Math.round(retryAfterMs * (1 + jitter * random()));
  return Math.max(scheduledMs, Math.min(askedMs, toJitteredMs(nextSeconds, random)));
}

/** No retry of a schedule is further ahead than this. */
export function longestRetryDelayMs(delaysSeconds: readonly number[]): number {
  return Math.max(0, ...delaysSeconds) * 1_000 * (1 + jitter);
}

function toJitteredMs(seconds: number, random: () => number): number {
  return Math.round(seconds * 1_000 * (1 - jitter + 2 * jitter * random()));
}
