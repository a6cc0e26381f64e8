import type { Key, NotificationListener } from "../port.ts";
import { createMergedKeys, type MergedKeys } from "./merged-keys.ts";

/** The listeners of a store. Notifications within one iteration of the event loop are merged. */
export interface Watchers {
  /** Returns a function that ends the watch. */
  watch(listener: NotificationListener): () => void;
  /** Calls the listeners in a later microtask. `undefined`: notifications may have been lost. */
  notify(keys: readonly Key[] | undefined): void;
  isEmpty(): boolean;
}

/** @param options called when the first watch begins, and when the last one ends */
export function createWatchers(
  options: { readonly onFirst?: () => void; readonly onLast?: () => void } = {},
): Watchers {
  // Each watch has its own object, because the same function may watch twice.
  const watchers = new Set<{ readonly listener: NotificationListener }>();
  let waiting: MergedKeys | undefined;

  function deliver(): void {
    const keys = waiting?.merged();
    waiting = undefined;
    // Each listener has its own microtask, so that an error of one does not stop the others.
    for (const watcher of watchers) {
      queueMicrotask(() => {
        if (watchers.has(watcher)) watcher.listener(keys);
      });
    }
  }

  return {
    watch(listener) {
      const watcher = { listener };
      watchers.add(watcher);
      if (watchers.size === 1) options.onFirst?.();
      return () => {
        if (watchers.delete(watcher) && watchers.size === 0) options.onLast?.();
      };
    },
    notify(keys) {
      if (watchers.size === 0) return;
      if (waiting === undefined) {
        waiting = createMergedKeys();
        queueMicrotask(deliver);
      }
      waiting.add(keys);
    },
    isEmpty: () => watchers.size === 0,
  };
}
