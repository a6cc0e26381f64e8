import type { OnError } from "@hookwright/domain";
import type { Check, Store } from "@hookwright/storage";
import { keys } from "./storage/keys.ts";
import type { Clock } from "./clock.ts";
import type { LeaseChange } from "./worker-observer.ts";

/** A worker that has not renewed its leases for this long has lost them. */
export const leaseMs = 15_000;
const renewalMs = leaseMs / 3;
const errorPauseMs = 1_000;
/** More workers than partitions have nothing to do. */
const maximumWorkers = 1_000;

/** `host` and `process` tell other workers on the same machine at once that this one died. */
export interface WorkerIdentity {
  readonly id: string;
  /** Two containers, or two machines of the same name, are different hosts. */
  readonly host: string;
  readonly process: number;
}

export interface PartitionLeasesOptions {
  readonly store: Store;
  readonly worker: WorkerIdentity;
  readonly partitions: readonly string[];
  readonly clock: Clock;
  /** Whether a process of this host still runs. @default always */
  readonly isProcessAlive?: ((process: number) => boolean) | undefined;
  /** Resolves when nothing of a partition is in flight or unrecorded. Nothing new starts in it meanwhile. */
  readonly drained: (partition: string) => Promise<void>;
  readonly onAcquired: (partition: string) => void;
  readonly onLost: (partition: string) => void;
  readonly onChange: (change: LeaseChange) => void;
  /** Leases were renewed: attempts that waited for that may start. */
  readonly onRenewed: () => void;
  readonly onError: OnError;
}

interface Held {
  readonly fence: Check;
  /** By the clock of this worker. It starts before the store sets the expiry, so it ends before it. */
  validUntil: number;
  isDraining: boolean;
}

/** Workers of this process. Two of them may share a store. The id of a worker is new in each process, so a count makes a lease unique. */
const workersOfThisProcess = new Set<string>();

/**
 * Leases of partitions. A lease is one row with an expiry, which the clock of the store decides. Its value is unique for each
 * acquisition, so it is the fencing token: a worker that was paused beyond its lease cannot commit anything.
 */
export function createPartitionLeases(options: PartitionLeasesOptions) {
  const { store, worker, partitions, clock, isProcessAlive = () => true, onError } = options;
  const heldPartitions = new Map<string, Held>();
  const workerKey = keys.worker(worker.id);
  const workerText = JSON.stringify(worker);
  let acquisitions = 0;
  let isRegistered = false;
  let hasLeft = false;
  let registering: Promise<unknown> = Promise.resolve();
  let cancelRenewal = (): void => {};
  let isStopped = false;
  workersOfThisProcess.add(worker.id);

  function register(): Promise<unknown> {
    if (hasLeft) return Promise.resolve();
    registering = store.commit(workerKey[0], {
      mutations: [{ type: "set", key: workerKey, value: workerText, expiresInMs: leaseMs }],
    });
    return registering;
  }

  /** The shares of all workers add up to the number of partitions. */
  async function fairShare(): Promise<number> {
    const entries = await store.list({ prefix: keys.workers(), limit: maximumWorkers });
    const others = entries
      .flatMap(({ value }) => parseWorker(value) ?? [])
      .filter((other) => other.id !== worker.id && !isDead(other))
      .map(({ id }) => id);
    const before = others.filter((id) => id < worker.id).length;
    const workers = others.length + 1;
    return Math.floor(partitions.length / workers) + (before < partitions.length % workers ? 1 : 0);
  }

  /** Whether a worker of this host has died. For other hosts, only the expiry of the lease shows it. */
  function isDead(other: WorkerIdentity): boolean {
    if (other.host !== worker.host || workersOfThisProcess.has(other.id)) return false;
    // In a container the process number of a restarted server is the same as before.
    return other.process === worker.process || !isProcessAlive(other.process);
  }

  /** A lease of our own that we do not hold was acquired by a commit whose response was lost. */
  function isFree(text: string | undefined): boolean {
    if (text === undefined) return true;
    const holder = parseLeaseHolder(text);
    return holder === undefined || holder.id === worker.id || isDead(holder);
  }

  async function acquire(count: number): Promise<void> {
    const others = partitions.filter((partition) => !heldPartitions.has(partition));
    const texts = await store.getMany(others.map(keys.lease));
    const free = others.flatMap((partition, index) => {
      const text = texts[index];
      return isFree(text) ? [{ partition, text }] : [];
    });
    await Promise.all(free.slice(0, count).map(({ partition, text }) => take(partition, text)));
  }

  async function take(partition: string, text: string | undefined): Promise<void> {
    const key = keys.lease(partition);
    acquisitions += 1;
    const value = JSON.stringify({ worker, acquisition: acquisitions } satisfies Lease);
    const validUntil = clock.now() + leaseMs;
    const { ok } = await store.commit(partition, {
      checks: [{ key, value: text }],
      mutations: [{ type: "set", key, value, expiresInMs: leaseMs }],
    });
    if (!ok || isStopped) return;
    heldPartitions.set(partition, { fence: { key, value }, validUntil, isDraining: false });
    options.onAcquired(partition);
    options.onChange("acquired");
  }

  async function renew(): Promise<void> {
    let pauseMs = renewalMs;
    try {
      await Promise.all([register(), ...[...heldPartitions].map(renewOne)]);
    } catch (error) {
      pauseMs = errorPauseMs;
      onError(error, { code: "leases_not_renewed" });
    }
    options.onRenewed();
    if (!isStopped) cancelRenewal = clock.schedule(() => void renew(), pauseMs);
  }

  async function renewOne([partition, held]: readonly [string, Held]): Promise<void> {
    const { fence } = held;
    const validUntil = clock.now() + leaseMs;
    const { ok } = await store.commit(partition, {
      checks: [fence],
      mutations: [{ type: "set", key: fence.key, value: fence.value ?? "", expiresInMs: leaseMs }],
    });
    if (ok) held.validUntil = Math.max(held.validUntil, validUntil);
    else lose(partition, fence);
  }

  /** Forgets a lease whose fence failed. Another fence means that it was acquired again. */
  function lose(
    partition: string,
    fence: Check | undefined,
    change: Exclude<LeaseChange, "acquired"> = "lost",
  ): void {
    const held = heldPartitions.get(partition);
    if (held === undefined || (fence !== undefined && held.fence !== fence)) return;
    heldPartitions.delete(partition);
    options.onLost(partition);
    options.onChange(change);
  }

  /** Waits for what is in flight, so that the next worker sends nothing twice. */
  async function drain(partition: string, held: Held): Promise<void> {
    held.isDraining = true;
    try {
      await options.drained(partition);
      await releaseOne(partition, held);
    } catch (error) {
      // The lease may be released, so nothing starts before it is renewed. The next rebalance drains it again.
      held.validUntil = 0;
      throw error;
    } finally {
      held.isDraining = false;
    }
  }

  async function releaseOne(partition: string, held: Held): Promise<void> {
    if (heldPartitions.get(partition) !== held) return;
    const { fence } = held;
    await store.commit(partition, { checks: [fence], mutations: [{ type: "delete", key: fence.key }] });
    lose(partition, fence, "released");
  }

  /** Other workers acquire released partitions only if this worker is not counted any more. */
  async function leave(): Promise<void> {
    if (!isRegistered) return;
    hasLeft = true;
    // A registration that arrived later would count for the length of a lease.
    await registering.catch(() => {});
    await store.commit(workerKey[0], { mutations: [{ type: "delete", key: workerKey }] });
    isRegistered = false;
  }

  return {
    /** Renews the leases every 5 s from now on. */
    start: (): void => void (cancelRenewal = clock.schedule(() => void renew(), renewalMs)),
    /** Takes free partitions up to the fair share of this worker, and starts to drain the surplus. */
    async rebalance(): Promise<void> {
      if (!isRegistered) await register();
      isRegistered = true;
      const share = await fairShare();
      const staying = [...heldPartitions].filter(([, { isDraining }]) => !isDraining);
      if (staying.length < share) return acquire(share - staying.length);
      for (const [partition, held] of staying.slice(share))
        drain(partition, held).catch((error: unknown) =>
          onError(error, { partition, code: "partition_not_released" }),
        );
    },
    held: (): readonly string[] => [...heldPartitions.keys()],
    holds: (partition: string): boolean => heldPartitions.has(partition),
    /** The fencing check of a held partition: part of every commit to it. */
    fence: (partition: string): Check | undefined => heldPartitions.get(partition)?.fence,
    /** Whether the partition is held, valid, and not about to be released: attempts may start. */
    isOpen(partition: string): boolean {
      const held = heldPartitions.get(partition);
      return held !== undefined && !held.isDraining && clock.now() < held.validUntil;
    },
    /** Whether every held lease is valid. */
    isHealthy: (): boolean =>
      [...heldPartitions.values()].every(({ validUntil }) => clock.now() < validUntil),
    lose,
    /** Drains every partition and releases each as soon as it is drained. Resolves when all are drained. */
    async drainAll(): Promise<void> {
      // What fails here is done again by `release`.
      leave().catch(() => {});
      await Promise.all(
        [...heldPartitions].map(async ([partition, held]) => {
          held.isDraining = true;
          await options.drained(partition);
          releaseOne(partition, held).catch(() => {});
        }),
      );
    },
    /** Stops renewing and releases everything that is still held. */
    async release(): Promise<void> {
      isStopped = true;
      cancelRenewal();
      workersOfThisProcess.delete(worker.id);
      const released = await Promise.allSettled([
        ...[...heldPartitions].map(([partition, held]) => releaseOne(partition, held)),
        leave(),
      ]);
      for (const result of released) if (result.status === "rejected") throw result.reason;
    },
  };
}

interface Lease {
  readonly worker: WorkerIdentity;
  /** Makes every lease of a worker unique. */
  readonly acquisition: number;
}

/** `undefined`: the row is damaged, or an earlier version wrote it, whose leases never expire. */
function parseLeaseHolder(text: string): WorkerIdentity | undefined {
  const lease: Partial<Lease> | undefined = parseObject(text);
  return lease?.worker ?? undefined;
}

function parseWorker(text: string): WorkerIdentity | undefined {
  const worker: Partial<WorkerIdentity> | undefined = parseObject(text);
  const { id, host, process } = worker ?? {};
  return id === undefined || host === undefined || process === undefined ? undefined : { id, host, process };
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
