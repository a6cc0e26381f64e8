const never = Number.POSITIVE_INFINITY;
/** A timer that is this late shows that the process was paused, for example because its machine was suspended. */
const pauseMs = 100;

/**
 * The time at which something is due, on the clock of `performance.now()`. It is set thousands of times a second, so its timer is not
 * restarted each time, but checks the deadline when it fires.
 */
export class Deadline {
  /** Infinity: never. */
  dueAt = never;
  readonly #onDue: () => void;
  #firesAt = never;
  #keepsProcess = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  /** @param keeps whether the process must stay until then */
  set(dueAt: number, keeps: boolean): void {
    this.dueAt = dueAt;
    this.#keepsProcess = keeps;
    if (this.#timer === undefined || this.#firesAt > dueAt) this.#start();
    else if (keeps) this.#timer.ref();
    else this.#timer.unref();
  }

  clear(): void {
    this.dueAt = never;
    this.#timer?.unref();
  }

  /** Like {@link clear}, and stops the timer. */
  close(): void {
    this.dueAt = never;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#firesAt = this.dueAt;
    // On a busy machine it may have passed. Node warns about negative delays.
    this.#timer = setTimeout(() => this.#onTimer(), Math.max(1, Math.ceil(this.dueAt - performance.now())));
    if (!this.#keepsProcess) this.#timer.unref();
  }

  #onTimer(): void {
    const { dueAt } = this;
    this.#timer = undefined;
    if (dueAt === never) return;
    if (dueAt > this.#firesAt) return this.#start();
    if (performance.now() - dueAt < pauseMs) return this.#onDue();
    // Timers run before sockets are read. A response that arrived in time must not count as a time-out.
    setImmediate(() => {
      if (this.dueAt === dueAt) this.#onDue();
    });
  }
}
