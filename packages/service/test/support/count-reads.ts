import type { Store } from "@hookwright/storage";

export interface CountedReads {
  readonly store: Store;
  /** How often a list was asked for, and what all of them came to. */
  readonly read: { lists: number; entries: number };
}

/** The same store, which counts what is listed. */
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
