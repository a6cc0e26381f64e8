import type { Store } from "@hookwright/storage";

export interface CountedReads {
  readonly store: Store;
  /** The number of `list` calls and of the entries that they returned. */
  readonly read: { lists: number; entries: number };
}

/** Wraps a store and counts its `list` calls. */
export function countReads(base: Store): CountedReads {
  const read = { lists: 0, entries: 0 };
  const store: Store = {
    ...base,
    async list(options) {
      const entries = await base.list(options);
      read.lists += 1;
      read.entries += entries.length;
      return entries;
    },
  };
  return { store, read };
}
