import type { Key, WakeListener } from "../port.ts";
import { createWokenKeys } from "./woken-keys.ts";
import type { WokenKeys } from "./woken-keys.ts";

/** Who watches which partition. Wake-ups of one turn of the event loop are merged. */
export interface PartitionWatchers {
  /** Answers a function that ends the watch. */
  watch(partition: string, listener: WakeListener): () => void;
  /** Calls the partition's listeners, after the code that is running now. */
  wake(partition: string, beneath?: readonly Key[]): void;
}

export function createPartitionWatchers(): PartitionWatchers {
  const watched = new Map<string, Set<{ readonly listener: WakeListener }>>();
  const waking = new Map<string, WokenKeys>();

  return {
    watch(partition, listener) {
      // An object of its own for each watch: one function may watch twice, and ends one watch at a time.
      const watcher = { listener };
      const watchers = watched.get(partition) ?? new Set();
      watched.set(partition, watchers.add(watcher));
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && watched.get(partition) === watchers) watched.delete(partition);
      };
    },
    wake(partition, beneath) {
      if (!watched.has(partition)) return;
      const merged = waking.get(partition);
      if (merged !== undefined) return merged.add(beneath);
      const woken = createWokenKeys();
      woken.add(beneath);
      waking.set(partition, woken);
      queueMicrotask(() => {
        waking.delete(partition);
        const keys = woken.joined();
        // A microtask each: what one listener throws must not silence the others.
        for (const watcher of watched.get(partition) ?? []) {
          queueMicrotask(() => {
            if (watched.get(partition)?.has(watcher) === true) watcher.listener(keys);
          });
        }
      });
    },
  };
}
