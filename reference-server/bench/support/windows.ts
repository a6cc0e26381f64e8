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

/** This moment, where it is in a window of this side, or else as far into the next one: what comes evenly still does. */
export function toWindowOf(side: Side, at: number): number {
  return sides[Math.floor(at / windowMs) % sides.length] === side ? at : at + windowMs;
}

/** So many windows of each side in turn, each when it begins. */
export async function* windowsInTurn(ofEach: number): AsyncGenerator<Window, void, void> {
  const both = windowMs * sides.length;
  let from = Math.ceil(monotonicMs() / both) * both;
  for (let number = 0; number < ofEach; number++) {
    for (const side of sides) {
      await pause(Math.max(0, from - monotonicMs()));
      yield { side, number, until: from + windowMs };
      from += windowMs;
    }
  }
}
