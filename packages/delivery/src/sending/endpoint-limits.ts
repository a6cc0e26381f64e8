import { backoffMs, isBackingOff } from "@hookwright/domain";
import { TokenBucket } from "./token-bucket.ts";

interface AttemptTimes {
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface EndpointLimitsOptions {
  /** The longest back-off. 0: no back-off. */
  readonly maximumBackoffMs: number;
  readonly random: () => number;
}

/** Enough to keep the schedule of a few deliveries whose attempts all time out. */
const minimumLimit = 8;
const maximumLimit = 64;
/** An endpoint is unhealthy from a failure until this many successes in a row. */
const successesUntilHealthy = 8;

/**
 * How many attempts of one endpoint may run at once, and when the next may start.
 *
 * A concurrency limit as in TCP: a success adds one (slow start), a failure halves it.
 *
 * The owner or the host may limit the attempts per second.
 *
 * After ten failures in a row, attempts run one at a time and are spaced by 0.1, 0.2, 0.4 … 180 s. One success ends the back-off.
 * Failures of attempts that were in flight when it began are not counted: they say no more than the tenth.
 *
 * A class: a worker creates one for each endpoint, often for a single delivery, and closures take several times the memory.
 */
export class EndpointLimits {
  readonly #options: EndpointLimitsOptions;
  #limit = minimumLimit;
  #failures = 0;
  /** Successes since the last failure. */
  #successes = successesUntilHealthy;
  #backoffUntil = 0;
  /** Absent: the webhook has no limit of attempts per second, or it is not read yet. */
  #bucket: TokenBucket | undefined;
  /** When the last counted failure ended. */
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(options: EndpointLimitsOptions) {
    this.#options = options;
  }

  /** Attempts that may run at once. */
  get limit(): number {
    return this.isBackingOff ? 1 : this.#limit;
  }

  /** Whether attempts are made one at a time, with pauses. */
  get isBackingOff(): boolean {
    return this.#options.maximumBackoffMs > 0 && isBackingOff(this.#failures);
  }

  /** Attempts that failed since the last success. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether an attempt failed lately. */
  get isUnhealthy(): boolean {
    return this.#successes < successesUntilHealthy;
  }

  /** No attempt starts before this time. 0: no back-off. */
  get backoffUntil(): number {
    return this.#backoffUntil;
  }

  /** Whether attempts per second are limited. */
  get isRateLimited(): boolean {
    return this.#bucket !== undefined;
  }

  /** The limit of attempts per second, as the webhook has it now. Null: none. */
  setRate(perSecond: number | null, now: number): void {
    if (perSecond === (this.#bucket?.perSecond ?? null)) return;
    this.#bucket = perSecond === null ? undefined : new TokenBucket(perSecond, now);
  }

  /** When another attempt may start beside those that are being loaded. 0: at any time. */
  nextStartAt(loading: number, now: number): number {
    return this.#bucket?.timeOf(loading + 1, now) ?? 0;
  }

  /** Counts an attempt that starts. False: it must not start yet. */
  takeStart(now: number): boolean {
    return this.#bucket?.take(now) ?? true;
  }

  /** Whether another worker, or a new object, would start the next attempt no earlier. */
  isForgettable(now: number): boolean {
    return this.#backoffUntil <= now && (this.#bucket?.isFull(now) ?? true);
  }

  /** Continues from what was recorded before this worker started. */
  restore(recordedFailures: number, recordedBackoffUntil: number, now: number): void {
    this.#failures = recordedFailures;
    if (recordedFailures > 0) this.#successes = 0;
    // A clock that was set back must not make the back-off longer.
    const longest = now + this.#options.maximumBackoffMs;
    this.#backoffUntil = this.isBackingOff ? Math.min(recordedBackoffUntil, longest) : 0;
  }

  /** Deliveries are cancelled. That sends nothing, so the next ones need not wait, and more may be cancelled at once. */
  release(): void {
    this.#failures = 0;
    this.#backoffUntil = 0;
    this.#bucket = undefined;
    this.#limit = Math.min(maximumLimit, this.#limit + 1);
  }

  /**
   * Call it when an attempt ends, before the next one starts.
   *
   * @returns whether it counts as one of the failures in a row
   */
  onResult(accepted: boolean, { startedAt, endedAt }: AttemptTimes): boolean {
    if (accepted) {
      this.#failures = 0;
      this.#successes += 1;
      this.#backoffUntil = 0;
      this.#limit = Math.min(maximumLimit, this.#limit + 1);
      return true;
    }
    // A clock that was set back must not keep failures from counting.
    if (this.isBackingOff && startedAt <= this.#failedAt && this.#failedAt <= endedAt) return false;
    this.#failures += 1;
    this.#successes = 0;
    this.#failedAt = endedAt;
    this.#limit = Math.max(minimumLimit, this.#limit >> 1);
    const { maximumBackoffMs, random } = this.#options;
    if (this.isBackingOff) this.#backoffUntil = endedAt + backoffMs(this.#failures, maximumBackoffMs, random);
    return true;
  }
}
