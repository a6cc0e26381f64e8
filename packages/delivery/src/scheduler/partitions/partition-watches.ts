import type { Store } from "@hookwright/storage";

/** Listens for wake-ups of the partitions this process works for. */
export interface PartitionWatches {
  /** Nothing new where it listens already. */
  start(partition: string): void;
  stop(partition: string): void;
  stopAll(): void;
}

export interface PartitionWatchesOptions {
  readonly store: Store;
  readonly onWake: (partition: string) => Promise<void>;
  readonly isRunning: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/** However many wake-ups come while one is followed, the partition is looked at once more after it. */
export function createPartitionWatches(options: PartitionWatchesOptions): PartitionWatches {
  const { store, onWake, isRunning, onFault } = options;
  const stops = new Map<string, () => void>();

  function followWakes(partition: string): () => void {
    let following = false;
    let again = false;
    const follow = async (): Promise<void> => {
      if (following) {
        again = true;
        return;
      }
      following = true;
      try {
        do {
          again = false;
          // One that fails does not stand for the wake-up that came meanwhile.
          await onWake(partition).catch(onFault);
        } while (again && isRunning());
      } finally {
        following = false;
      }
    };
    return () => void follow();
  }

  return {
    start(partition) {
      if (!stops.has(partition)) stops.set(partition, store.watch(partition, followWakes(partition)));
    },
    stop(partition) {
      stops.get(partition)?.();
      stops.delete(partition);
    },
    stopAll() {
      for (const stop of stops.values()) stop();
      stops.clear();
    },
  };
}
