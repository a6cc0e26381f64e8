import type { OnError } from "@hookwright/domain";
import type { Key, Store, WakeListener } from "@hookwright/storage";
import { createWokenKeys } from "@hookwright/storage/adapter";
import type { WokenKeys } from "@hookwright/storage/adapter";

/** Listens for wake-ups of the partitions this process works for. */
export interface PartitionWatches {
  /** Nothing new where it listens already. */
  start(partition: string): void;
  stop(partition: string): void;
  stopAll(): void;
}

export interface PartitionWatchesOptions {
  readonly store: Store;
  /** @param beneath where something is new; nothing where it may be anywhere */
  readonly onWake: (partition: string, beneath: readonly Key[] | undefined) => Promise<void>;
  readonly isRunning: () => boolean;
  readonly onFault: OnError;
}

/** However many wake-ups come while one is followed, the partition is looked at once more after it: wherever they have told of. */
export function createPartitionWatches(options: PartitionWatchesOptions): PartitionWatches {
  const { store, onWake, isRunning, onFault } = options;
  const stops = new Map<string, () => void>();

  function followWakes(partition: string): WakeListener {
    /** What was told of and nobody has looked at yet. */
    let told: WokenKeys | undefined;
    let following = false;

    /** A store of the host's own may call with whatever its emitter passes on. */
    function hear(beneath: unknown): void {
      told ??= createWokenKeys();
      told.add(areKeys(beneath) ? beneath : undefined);
    }

    async function follow(): Promise<void> {
      following = true;
      try {
        while (told !== undefined && isRunning()) {
          const beneath = told.joined();
          told = undefined;
          // One that fails does not stand for the wake-up that came meanwhile.
          await onWake(partition, beneath).catch((error: unknown) =>
            onFault(error, { partition, code: "queues_not_read" }),
          );
        }
      } finally {
        following = false;
      }
    }

    return (beneath) => {
      hear(beneath);
      if (!following) void follow();
    };
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

function areKeys(value: unknown): value is readonly Key[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((key) => Array.isArray(key) && typeof key[0] === "string")
  );
}
