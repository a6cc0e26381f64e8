import { setTimeout as pause } from "node:timers/promises";
import { monotonicMs } from "./monotonic-clock.ts";

/**
 * Two servers run in turn, for a second and a half each, while the other one is stopped: both meet the same hour of the machine, however its speed
 * changes. Whose window it is tells the clock alone, to every process.
 */
export type Side = "empty" | "backlog";

export interface Window {
  readonly side: Side;
  /** Of its side, from 0. */
  readonly number: number;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

const sides = ["empty", "backlog"] as const;
/** Short: what is answered after eight seconds, and then waits for the next window, has to be there within the ten that a server waits. */
export const windowMs = 1_500;

/** One that begins so much later is still whole. */
const lateMs = 50;

/** This moment, where it is in a window of this side, or else as far into the next one: what comes evenly still does. */
export function toWindowOf(side: Side, at: number): number {
  return sides[Math.floor(at / windowMs) % sides.length] === side ? at : at + windowMs;
}

/** When the next window of this side begins, at this moment or later. */
export function nextWindowOf(side: Side, at: number): number {
  return toWindowOf(side, Math.ceil(at / windowMs) * windowMs);
}

/** So many windows of each side in turn, each when it begins. Whoever is late, because what went before took longer, waits for a whole one. */
export async function* windowsInTurn(ofEach: number): AsyncGenerator<Window, void, void> {
  for (let number = 0; number < ofEach; number++) {
    for (const side of sides) {
      const from = nextWindowOf(side, monotonicMs() - lateMs);
      await pause(Math.max(0, from - monotonicMs()));
      yield { side, number, until: from + windowMs };
    }
  }
}
