import type { Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import { createStillness } from "./stillness.ts";
import { isOrphan, leaseMs } from "./worker-identity.ts";
import type { WorkerIdentity } from "./worker-identity.ts";

/** The workers that share a storage, so that each knows how many partitions are its share. */
export interface WorkerRegister {
  /** Says that this worker lives, for the length of a lease. */
  announce(): Promise<void>;
  /** How many of `total` partitions are this worker's share: the shares of all workers add up to the total. */
  shareOf(total: number): Promise<number>;
  leave(): Promise<void>;
}

export interface WorkerRegisterOptions {
  readonly store: Store;
  readonly worker: WorkerIdentity;
  readonly now: () => number;
  readonly isProcessAlive: (process: number) => boolean;
}

interface Registered {
  readonly worker: WorkerIdentity;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** More workers than partitions have nothing to do. */
const mostWorkers = 1_000;

export function createWorkerRegister(options: WorkerRegisterOptions): WorkerRegister {
  const { store, worker, now, isProcessAlive } = options;
  const key = keys.worker(worker.id);
  const stillness = createStillness({ now });

  return {
    async announce() {
      const until = now() + leaseMs;
      const value = JSON.stringify({ worker, until } satisfies Registered);
      await store.commit(key[0], { mutations: [{ type: "set", key, value, expiresAt: until + leaseMs }] });
    },
    async shareOf(total) {
      const entries = await store.list({ prefix: keys.workers(), limit: mostWorkers });
      const others = entries
        .filter((entry) => !stillness.has(entry.key.join("/"), entry.value))
        .map(({ value }): Registered => JSON.parse(value))
        .filter(({ worker: other, until }) => until > now() && !isOrphan(other, worker, isProcessAlive))
        .map(({ worker: other }) => other.id)
        .filter((id) => id !== worker.id);
      const size = others.length + 1;
      const place = others.filter((id) => id < worker.id).length;
      return Math.floor(total / size) + (place < total % size ? 1 : 0);
    },
    async leave() {
      await store.commit(key[0], { mutations: [{ type: "delete", key }] });
    },
  };
}
