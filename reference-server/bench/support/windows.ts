import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "./monotonic-clock.ts";

/**
 * Two servers alternate every 1.5 s while the other one is stopped, so that both see the same variations of the
 * machine. The clock alone determines the current window in every process.
 */
export type Side = "empty" | "backlog";

export interface Window {
  readonly side: Side;
  /** The number of the window of its side, from 0. */
  readonly number: number;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

const sides = ["empty", "backlog"] as const;
/**
 * Short, because a response after eight seconds may wait for the next window and must arrive within the timeout of ten
 * seconds.
 */
export const windowMs = 1_500;

/** A window that starts up to this much late still counts as whole. */
const lateMs = 50;

/**
 * Returns this moment if it is in a window of this side, otherwise the corresponding moment of the next one. This keeps
 * work even.
 */
export function toWindowOf(side: Side, at: number): number {
  return sides[Math.floor(at / windowMs) % sides.length] === side ? at : at + windowMs;
}

/** The start of the next window of this side, at this moment or later. */
export function nextWindowOf(side: Side, at: number): number {
  return toWindowOf(side, Math.ceil(at / windowMs) * windowMs);
}

/**
 * Iterates over this many windows of each side alternately, each at its start. A late caller waits for the next whole
 * window.
 */
export async function* windowsInTurn(ofEach: number): AsyncGenerator<Window, void, void> {
  for (let number = 0; number < ofEach; number++) {
    for (const side of sides) {
      const from = nextWindowOf(side, monotonicMs() - lateMs);
      await pause(Math.max(0, from - monotonicMs()));
      yield { side, number, until: from + windowMs };
    }
  }
}
