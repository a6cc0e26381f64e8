import type { FakeClock } from "../../../delivery/test/support/fake-clock.ts";

/**
 * A time in which the storage was unavailable, or a process was stopped or dead. Duplicates are allowed then (contract
 * §5).
 */
export interface Disruption {
  /** The process that it affects. Undefined if it affects all. */
  readonly processId?: string;
  readonly from: number;
  readonly to: number;
}

/** The storage is unavailable, or reads work while every other commit fails, for example on a slow disk. */
export const absences = ["whole", "every other commit"] as const;
export type Absence = (typeof absences)[number];

/** The network between processes, storage and endpoints. Every call takes a random time. */
export interface Network {
  readonly clock: FakeClock;
  readonly random: () => number;
  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number;
  /** Waits for a random latency of a few milliseconds. */
  travel(): Promise<void>;
  wait(ms: number): Promise<void>;
  /** True if the storage is unavailable for this kind of call. */
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
