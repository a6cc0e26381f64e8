import { constants } from "node:os";
import type { Program, StopSignal } from "@hookwright/cli";

export interface ShutdownOptions {
  readonly program: Pick<Program, "onSignal" | "exit">;
  /** Milliseconds; monotonic. */
  readonly now: () => number;
}

/** Launchers repeat a signal that the terminal has already sent. A signal within this time is the same one. */
const repeatedWithinMs = 1_000;

/**
 * Resolves with the first SIGTERM or SIGINT. Another signal more than a second later exits immediately, with the exit
 * code of that signal.
 */
export function onShutdown({ program, now }: ShutdownOptions): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    program.onSignal((signal) => {
      if (firstAt === undefined) {
        firstAt = now();
        resolve(signal);
      } else if (now() - firstAt > repeatedWithinMs) {
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

/** True if the work ends within this time after the signal. Until then, an error of the work rejects. */
export async function endsInTime({ work, stopped, withinMs }: EndsInTimeOptions): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  // The timer keeps the process alive, so that this always resolves.
  const late = stopped.then(
    () => new Promise<false>((resolve) => (timer = setTimeout(resolve, withinMs, false))),
  );
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
