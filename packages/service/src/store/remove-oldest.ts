import type { Key, Store } from "@hookwright/storage";

export interface RemoveOldest {
  readonly prefix: Key;
  /** Entries from this key on are kept. @default none of them */
  readonly before?: Key | undefined;
  /** At most this many are removed. @default all */
  readonly maximum?: number | undefined;
  /** Entries removed at once. @default 500 */
  readonly batchSize?: number | undefined;
  /** Another row that goes with an entry. @default none */
  readonly withRow?: ((key: Key) => Key) | undefined;
  /** Awaited between two batches, so that other work runs. */
  readonly pause: () => Promise<void>;
}

/** Removes the first entries of a prefix, in batches. */
export async function removeOldest(store: Store, options: RemoveOldest): Promise<void> {
  const { prefix, before, maximum = Number.POSITIVE_INFINITY, batchSize = 500, withRow, pause } = options;
  for (let left = maximum; left > 0;) {
    const limit = Math.min(batchSize, left);
    const entries = await store.list({ prefix, before, limit });
    const removed = entries.map(({ key }) => key);
    if (withRow !== undefined) removed.unshift(...removed.map(withRow));
    if (removed.length > 0)
      await store.commit(prefix[0], { mutations: removed.map((key) => ({ type: "delete", key })) });
    if (entries.length < limit) return;
    left -= limit;
    await pause();
  }
}
