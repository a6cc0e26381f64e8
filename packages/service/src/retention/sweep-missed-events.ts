import { readSigningSecrets } from "@hookwright/delivery";
import type { Key, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../rows/keys.ts";

/** Entries removed at once. */
const batchSize = 500;

export interface SweepMissedOptions {
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
      let excess = (await countEntries(store, prefix, pause)) - (secret === undefined ? 0 : maximumKept);
      for (;;) {
        const entries = await store.list({ prefix, limit: batchSize });
        const removed = entries.filter(
          (entry, index) => index < excess || Number(entry.key[prefix.length]) < publishedBefore,
        );
        if (removed.length === 0) break;
        await store.commit(prefix[0], {
          mutations: removed.map((entry) => ({ type: "delete", key: entry.key })),
        });
        excess -= removed.length;
        if (removed.length < entries.length || entries.length < batchSize) break;
        await pause();
      }
    }
  }
}

async function countEntries(store: Store, prefix: Key, pause: () => Promise<void>): Promise<number> {
  let count = 0;
  for (let after: Key | undefined; ;) {
    const entries = await store.list({ prefix, after, limit: batchSize });
    count += entries.length;
    if (entries.length < batchSize) return count;
    after = entries.at(-1)?.key;
    await pause();
  }
}
