import { createSweeper, systemClock } from "@hookwright/delivery";
import type { Clock } from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";

/** Sweeps the partition of an account as a server does once an hour, and resolves when that round has ended. */
export async function sweepNow(store: Store, accountId: string): Promise<void> {
  const { promise: swept, resolve, reject } = Promise.withResolvers<void>();
  let begun = false;
  const clock: Clock = {
    now: Date.now,
    schedule(callback, delayMs) {
      // The pauses within a round; before the first one there is a minute, and an hour after each.
      if (delayMs < 1_000) return systemClock.schedule(callback, delayMs);
      if (!begun) queueMicrotask(callback);
      else resolve();
      begun = true;
      return () => {};
    },
  };
  const partitions = [partitionOf(accountId)];
  await using sweeper = createSweeper({ store, clock, partitions: () => partitions, onFault: reject });
  sweeper.start();
  await swept;
}
