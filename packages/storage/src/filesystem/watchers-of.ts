import { createPartitionWatchers, type PartitionWatchers } from "../commit/partition-watchers.ts";

const watchersOfDirectories = new Map<string, WeakRef<PartitionWatchers>>();

/** One set of watchers for all stores which this process has open in one directory, named by its real path. */
export function watchersOf(directory: string): PartitionWatchers {
  const known = watchersOfDirectories.get(directory)?.deref();
  if (known !== undefined) return known;
  const watchers = createPartitionWatchers();
  watchersOfDirectories.set(directory, new WeakRef(watchers));
  return watchers;
}
