import { constants } from "node:os";
import type { Program, StopSignal } from "./program.ts";

export interface ShutdownOptions {
  readonly program: Pick<Program, "onSignal" | "exit">;
  /** Milliseconds; monotonic. */
  readonly now: () => number;
}

/** Launchers pass a signal on that the terminal has sent already: what comes so soon after the first is the same one. */
const doubledWithinMs = 1_000;

/**
 * Resolves with the first SIGTERM or SIGINT. Another one more than a second later means that somebody does not want to
 * wait: the process exits at once, with the code shells give for that signal.
 */
export function onShutdown({ program, now }: ShutdownOptions): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    program.onSignal((signal) => {
      if (firstAt === undefined) {
        firstAt = now();
        resolve(signal);
      } else if (now() - firstAt > doubledWithinMs) {
        program.exit(128 + constants.signals[signal]);
      }
    });
  });
}

export interface EndsInTimeOptions {
  readonly work: Promise<void>;
  readonly stopped: Promise<StopSignal>;
  readonly withinMs: number;
}

/** Whether the work ends before so long has passed since the signal. Its fault is the caller's, as long as it is waited for. */
export async function endsInTime({ work, stopped, withinMs }: EndsInTimeOptions): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  // It keeps the process alive: the awaited end must come even where nothing else is left that could happen.
  const late = stopped.then(
    () => new Promise<false>((resolve) => (timer = setTimeout(resolve, withinMs, false))),
  );
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
