import type { Check, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

/** A worker that has not renewed for so long is taken for dead (contract: take-over within 20 s). */
export const leaseMs = 15_000;

/** Who holds leases. `host` and `process` let a successor on the same machine see at once that a holder died. */
export interface WorkerIdentity {
  readonly id: string;
  readonly host: string;
  readonly process: number;
}

export interface PartitionLeases {
  /** Takes every partition that is free, run out, or held by a dead process; answers the newly won ones. */
  acquire(): Promise<string[]>;
  /** Extends all held leases; answers those that somebody else has taken meanwhile. */
  renew(): Promise<string[]>;
  /** The fencing check of one partition: part of every commit a worker makes. Undefined when it is not held. */
  fence(partition: string): Check | undefined;
  holds(partition: string): boolean;
  held(): readonly string[];
  release(): Promise<void>;
  /** Forgets a lease whose fence has failed. */
  lose(partition: string): void;
}

export interface PartitionLeasesOptions {
  readonly store: Store;
  readonly worker: WorkerIdentity;
  readonly partitions: readonly string[];
  readonly now: () => number;
  /** Whether a process of this host still runs. @default always yes */
  readonly isProcessAlive?: (process: number) => boolean;
}

/** Workers of this very process: two of them may share a store, and each must see that the other lives. */
const workersOfThisProcess = new Set<string>();

/**
 * Leases of partitions. The lease row names its holder and a fencing token that grows with every change of hands;
 * the time it runs out stands in a row of its own, so that renewing does not disturb the fence of commits under way.
 *
 * A worker that was paused beyond its lease and wakes up finds its fence broken: it can write nothing.
 */
export function createPartitionLeases(options: PartitionLeasesOptions): PartitionLeases {
  const { store, worker, partitions, now, isProcessAlive = () => true } = options;
  const fences = new Map<string, Check>();
  workersOfThisProcess.add(worker.id);

  async function acquireOne(partition: string): Promise<boolean> {
    const leaseKey = keys.lease(partition);
    const expiryKey = keys.leaseExpiry(partition);
    const [lease, expiry] = await store.getMany([leaseKey, expiryKey]);
    if (lease !== undefined && Number(expiry) > now() && !isOrphaned(parseLease(lease).holder)) return false;
    const token = lease === undefined ? 1 : parseLease(lease).token + 1;
    const mine = JSON.stringify({ token, holder: worker } satisfies Lease);
    const won = await store.commit(partition, {
      checks: [
        { key: leaseKey, value: lease },
        { key: expiryKey, value: expiry },
      ],
      mutations: [
        { type: "set", key: leaseKey, value: mine },
        { type: "set", key: expiryKey, value: String(now() + leaseMs) },
      ],
    });
    if (won.ok) fences.set(partition, { key: leaseKey, value: mine });
    return won.ok;
  }

  /** A holder on this very host whose process is gone will never renew: its partitions need not wait 15 s. */
  function isOrphaned(holder: WorkerIdentity): boolean {
    if (holder.host !== worker.host || workersOfThisProcess.has(holder.id)) return false;
    // The number of this process under an id it does not know: a container's first process is number 1 every time.
    return holder.process === worker.process || !isProcessAlive(holder.process);
  }

  async function renewOne(partition: string, fence: Check): Promise<boolean> {
    const renewed = await store.commit(partition, {
      checks: [fence],
      mutations: [{ type: "set", key: keys.leaseExpiry(partition), value: String(now() + leaseMs) }],
    });
    if (!renewed.ok) fences.delete(partition);
    return renewed.ok;
  }

  return {
    async acquire() {
      const wanted = partitions.filter((partition) => !fences.has(partition));
      const won = await Promise.all(wanted.map(acquireOne));
      return wanted.filter((_, index) => won[index]);
    },
    async renew() {
      const held = [...fences];
      const kept = await Promise.all(held.map(([partition, fence]) => renewOne(partition, fence)));
      return held.filter((_, index) => !kept[index]).map(([partition]) => partition);
    },
    fence: (partition) => fences.get(partition),
    holds: (partition) => fences.has(partition),
    held: () => [...fences.keys()],
    lose: (partition) => {
      fences.delete(partition);
    },
    async release() {
      workersOfThisProcess.delete(worker.id);
      const held = [...fences];
      fences.clear();
      await Promise.all(
        held.map(([partition, fence]) =>
          store.commit(partition, {
            checks: [fence],
            mutations: [{ type: "set", key: keys.leaseExpiry(partition), value: "0" }],
          }),
        ),
      );
    },
  };
}

interface Lease {
  readonly token: number;
  readonly holder: WorkerIdentity;
}

function parseLease(text: string): Lease {
  return JSON.parse(text);
}
