import type { FakeClock } from "../../../delivery/test/support/fake-clock.ts";

/** When the storage was away, or a process stopped or dead: what a duplicate is allowed for (contract §5). */
export interface Disruption {
  /** Whose, where it is not everybody's. */
  readonly processId?: string;
  readonly from: number;
  readonly to: number;
}

/** What lies between processes, the storage and endpoints: everything takes a while, in whatever order. */
export interface Network {
  readonly clock: FakeClock;
  readonly random: () => number;
  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number;
  /** A way through the network, of a few milliseconds. */
  travel(): Promise<void>;
  wait(ms: number): Promise<void>;
  /** While the storage is away. */
  readonly isStorageAway: boolean;
  takeStorageAway(ms: number): void;
  readonly disruptions: Disruption[];
}

export function createNetwork(clock: FakeClock, random: () => number): Network {
  let awayUntil = 0;
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
    get isStorageAway() {
      return clock.now() < awayUntil;
    },
    takeStorageAway(ms) {
      awayUntil = Math.max(awayUntil, clock.now() + ms);
      disruptions.push({ from: clock.now(), to: awayUntil });
    },
    disruptions,
  };
}
