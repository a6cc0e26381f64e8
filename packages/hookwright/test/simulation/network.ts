import type { FakeClock } from "../../../delivery/test/support/fake-clock.ts";

/** When the storage was away, or a process stopped or dead: what a duplicate is allowed for (contract §5). */
export interface Disruption {
  /** Whose, where it is not everybody's. */
  readonly processId?: string;
  readonly from: number;
  readonly to: number;
}

/** Nothing of the storage is there, or it is read as ever while every other commit fails: its disk is slow, say. */
export const absences = ["whole", "every other commit"] as const;
export type Absence = (typeof absences)[number];

/** What lies between processes, the storage and endpoints: everything takes a while, in whatever order. */
export interface Network {
  readonly clock: FakeClock;
  readonly random: () => number;
  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number;
  /** A way through the network, of a few milliseconds. */
  travel(): Promise<void>;
  wait(ms: number): Promise<void>;
  /** Whether the storage does not do what it is asked for just now. */
  isStorageAway(what: "read" | "commit"): boolean;
  takeStorageAway(ms: number, absence: Absence): void;
  readonly disruptions: Disruption[];
}

export function createNetwork(clock: FakeClock, random: () => number): Network {
  const began: { readonly until: number; readonly absence: Absence }[] = [];
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.schedule(resolve, ms);
    });
  const disruptions: Disruption[] = [];
  return {
    clock,
    random,
    between,
    wait,
    travel: () => wait(between(1, 12)),
    isStorageAway: (what) =>
      began.some(
        ({ until, absence }) =>
          clock.now() < until && (absence === "whole" || (what === "commit" && random() < 0.5)),
      ),
    takeStorageAway(ms, absence) {
      const until = clock.now() + ms;
      began.push({ until, absence });
      disruptions.push({ from: clock.now(), to: until });
    },
    disruptions,
  };
}
