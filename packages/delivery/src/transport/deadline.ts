const never = Number.POSITIVE_INFINITY;
/** A timer that is this late shows that the process was paused, for example because its machine was suspended. */
const pauseMs = 100;

/** The time at which something is due, on the clock of `performance.now()`. */
export type Deadline = Readonly<ReturnType<typeof createDeadline>>;

/** A deadline that is set thousands of times a second. Its timer is not restarted each time, but checks the deadline when it fires. */
export function createDeadline(onDue: () => void) {
  let firesAt = never;
  let keepsProcess = false;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    clearTimeout(timer);
    firesAt = deadline.dueAt;
    // On a busy machine it may have passed. Node warns about negative delays.
    timer = setTimeout(onTimer, Math.max(1, Math.ceil(firesAt - performance.now())));
    if (!keepsProcess) timer.unref();
  }

  function onTimer(): void {
    const { dueAt } = deadline;
    timer = undefined;
    if (dueAt === never) return;
    if (dueAt > firesAt) return start();
    if (performance.now() - dueAt < pauseMs) return onDue();
    // Timers run before sockets are read. A response that arrived in time must not count as a time-out.
    setImmediate(() => {
      if (deadline.dueAt === dueAt) onDue();
    });
  }

  const deadline = {
    /** Infinity: never. */
    dueAt: never,
    /** @param keeps whether the process must stay until then */
    set(dueAt: number, keeps: boolean): void {
      deadline.dueAt = dueAt;
      keepsProcess = keeps;
      if (timer === undefined || firesAt > dueAt) start();
      else if (keepsProcess) timer.ref();
      else timer.unref();
    },
    clear(): void {
      deadline.dueAt = never;
      timer?.unref();
    },
    /** Like {@link clear}, and stops the timer. */
    close(): void {
      deadline.dueAt = never;
      clearTimeout(timer);
      timer = undefined;
    },
  };
  return deadline;
}
