import { systemClock } from "@hookwright/delivery";
import type { Clock } from "@hookwright/delivery";
import { createSweeper } from "@hookwright/service";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";

/** Sweeps the partition of an account as a server does once an hour. Resolves at the end of that round. */
export async function sweepNow(store: Store, accountId: string): Promise<void> {
  const { promise: swept, resolve, reject } = Promise.withResolvers<void>();
  let begun = false;
  const clock: Clock = {
    now: Date.now,
    schedule(callback, delayMs) {
      // Only the pauses within a round. The first round starts after a minute, and later ones after an hour.
      if (delayMs < 1_000) return systemClock.schedule(callback, delayMs);
      if (!begun) queueMicrotask(callback);
      else resolve();
      begun = true;
      return () => {};
    },
  };
  const partitions = [partitionOf(accountId)];
  await using sweeper = createSweeper({ store, clock, partitions: () => partitions, onError: reject });
  sweeper.start();
  await swept;
}
