import { readSigningSecrets } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../rows/keys.ts";
import { removeOldest } from "../store/remove-oldest.ts";

interface SweepMissedOptions {
  readonly store: Store;
  readonly accountId: string;
  /** Events that were published before this time are removed, in milliseconds since the epoch. */
  readonly publishedBefore: number;
  /** The missed events kept for each webhook. The oldest ones above it are removed. @default 100,000 */
  readonly maximumKept?: number | undefined;
  /** Awaited between two batches, so that other work runs. */
  readonly pause: () => Promise<void>;
}

/** Removes missed events that are too old or too many, and those of removed webhooks. */
export async function sweepMissedEvents(options: SweepMissedOptions): Promise<void> {
  const { store, accountId, publishedBefore, maximumKept = 100_000, pause } = options;
  const all = keys.missedEventsOf(accountId);
  for await (const groups of listPages(store, { prefix: all, groupBy: 1 })) {
    for (const { key } of groups) {
      const webhookId = String(key[all.length]);
      const prefix = keys.missedEvents(accountId, webhookId);
      const [secret] = await readSigningSecrets(store, accountId, [webhookId]);
      let count = 0;
      for await (const page of listPages(store, { prefix, pageSize: 500 })) {
        count += page.length;
        await pause();
      }
      const excess = secret === undefined ? count : count - maximumKept;
      await removeOldest(store, { prefix, maximum: excess, pause });
      // Parts of keys are whole numbers, as the times of events are.
      await removeOldest(store, { prefix, before: [...prefix, Math.ceil(publishedBefore)], pause });
    }
  }
}
