/** A bucket holds the tokens of this time, so that a late timer costs no attempt. */
const burstSeconds = 0.02;

/**
 * The limit of attempts per second of one webhook, as a token bucket.
 *
 * No second has more starts than the limit: what the bucket holds at first is taken from the rate at which it fills.
 *
 * A class: a worker may have thousands.
 */
export class TokenBucket {
  readonly perSecond: number;
  readonly #capacity: number;
  readonly #perMs: number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, now: number) {
    this.perSecond = perSecond;
    this.#capacity = Math.max(1, Math.floor(perSecond * burstSeconds));
    this.#perMs = (perSecond - this.#capacity + 1) / 1_000;
    this.#tokens = this.#capacity;
    this.#at = now;
  }

  /** When the last of the next attempts may start, if each starts as soon as it may. */
  timeOf(attempts: number, now: number): number {
    this.#fill(now);
    const missing = attempts - this.#tokens;
    return missing <= 1e-9 ? now : now + Math.ceil(missing / this.#perMs);
  }

  /** Takes a token, if one is there. */
  take(now: number): boolean {
    this.#fill(now);
    // Sums of fractions may miss a whole token by a hair.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Whether it remembers nothing, so that a new one is the same. */
  isFull(now: number): boolean {
    this.#fill(now);
    return this.#tokens === this.#capacity;
  }

  #fill(now: number): void {
    // A clock that was set back must not add a wait.
    const passedMs = Math.max(0, now - this.#at);
    this.#at = now;
    this.#tokens = Math.min(this.#capacity, this.#tokens + passedMs * this.#perMs);
  }
}
