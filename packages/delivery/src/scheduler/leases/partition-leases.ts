import { isSameKey } from "@hookwright/storage";
import type { Check, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import { createGivenUpLeases } from "./given-up-leases.ts";
import { createStillness } from "./stillness.ts";
import { isOrphan, leaseMs, registerWorker, unregisterWorker } from "./worker-identity.ts";
import type { WorkerIdentity } from "./worker-identity.ts";
import { createWorkerRegister } from "./worker-register.ts";

export interface PartitionLeases {
  /**
   * Takes partitions that are free, run out, or held by a dead process, up to this worker's share of all. Learns on the way how
   * many workers there are. Where it fails, some may have been won all the same: {@link held} tells.
   */
  acquire(): Promise<void>;
  /** How many partitions more than its share this worker holds, as of the last {@link acquire}. */
  surplus(): number;
  /** Extends all held leases. What cannot be written of one keeps none of the others from it. */
  renew(): Promise<Renewal>;
  /** Until when, by this worker's clock, nobody else can have taken anything of what it holds. */
  validUntil(): number;
  /** The same of one partition: 0 where it is not held. */
  heldUntil(partition: string): number;
  /** The fencing check of one partition: part of every commit a worker makes. Undefined when it is not held. */
  fence(partition: string): Check | undefined;
  holds(partition: string): boolean;
  held(): readonly string[];
  /** Lets another worker have a partition at once. */
  giveUp(partition: string): Promise<void>;
  /** Counts itself out: from now on the others share what it gives up, and what it still holds it goes on renewing. */
  leave(): Promise<void>;
  /** Gives up all of them and leaves. */
  release(): Promise<void>;
  /** Forgets a lease whose fence has failed. */
  lose(partition: string): void;
}

export interface Renewal {
  /** What somebody else has taken since the last one. */
  readonly lost: readonly string[];
  /** Why not all of the others were extended, if so. */
  readonly fault: unknown;
}

export interface PartitionLeasesOptions {
  readonly store: Store;
  readonly worker: WorkerIdentity;
  readonly partitions: readonly string[];
  readonly now: () => number;
  /** Whether a process of this host still runs. @default always yes */
  readonly isProcessAlive?: ((process: number) => boolean) | undefined;
}

/**
 * Leases of partitions. The lease row names its holder and a fencing token that grows with every change of hands;
 * the time it runs out stands in a row of its own, so that renewing does not disturb the fence of commits under way.
 *
 * A worker that was paused beyond its lease and wakes up finds its fence broken: it can write nothing.
 */
export function createPartitionLeases(options: PartitionLeasesOptions): PartitionLeases {
  const { store, worker, partitions, now, isProcessAlive = () => true } = options;
  const register = createWorkerRegister({ store, worker, now, isProcessAlive });
  const stillness = createStillness({ now });
  const givenUp = createGivenUpLeases({ store });
  const fences = new Map<string, Check>();
  /** Until when each of them is this worker's, however late it was told so. */
  const heldUntil = new Map<string, number>();
  /** What the rows of their expiry said last; not known after a fault. */
  const expiries = new Map<string, string>();
  /** Taken by somebody else, and not reported yet. */
  const lost = new Set<string>();
  let share = partitions.length;
  /** So long after the last renewal of all. */
  let renewedUntil = now() + leaseMs;
  let validUntil = renewedUntil;
  let announced = false;
  let leaving = false;
  let left: Promise<void> | undefined;
  /** The last time it said that it lives. */
  let announcing: Promise<void> = Promise.resolve();
  registerWorker(worker);

  function hold(partition: string, fence: Check, until: number): void {
    // The answer to a renewal may come after that to a later one.
    if (until < (heldUntil.get(partition) ?? until)) return;
    fences.set(partition, fence);
    givenUp.forget(partition);
    heldUntil.set(partition, until);
    expiries.set(partition, String(until));
    settleValidity();
  }

  function letGo(partition: string): void {
    fences.delete(partition);
    heldUntil.delete(partition);
    expiries.delete(partition);
    settleValidity();
  }

  function settleValidity(): void {
    validUntil = Math.min(renewedUntil, ...heldUntil.values());
  }

  /** All the others in one read, to find which of them can be had. */
  async function findFree(): Promise<LeaseRows[]> {
    const others = partitions.filter((partition) => !fences.has(partition) && !lost.has(partition));
    const texts = await store.getMany(others.flatMap((name) => [keys.lease(name), keys.leaseExpiry(name)]));
    return others
      .map((partition, index) => ({ partition, lease: texts[index * 2], expiry: texts[index * 2 + 1] }))
      .filter(
        ({ partition, lease, expiry }) =>
          stillness.has(partition, expiry) ||
          lease === undefined ||
          !(Number(expiry) > now()) ||
          isAbandoned(parseLease(lease).holder),
      );
  }

  /** Its holder is dead; or this worker took it and was never told, because the store's answer did not come. */
  function isAbandoned(holder: WorkerIdentity): boolean {
    return holder.id === worker.id || isOrphan(holder, worker, isProcessAlive);
  }

  async function take({ partition, lease, expiry }: LeaseRows): Promise<void> {
    const leaseKey = keys.lease(partition);
    const expiryKey = keys.leaseExpiry(partition);
    const token = lease === undefined ? 1 : parseLease(lease).token + 1;
    const mine = JSON.stringify({ token, holder: worker } satisfies Lease);
    const until = now() + leaseMs;
    const won = await store.commit(partition, {
      checks: [
        { key: leaseKey, value: lease },
        { key: expiryKey, value: expiry },
      ],
      mutations: [
        { type: "set", key: leaseKey, value: mine },
        { type: "set", key: expiryKey, value: String(until) },
      ],
    });
    // Told late, as after a stop, it may run out before the next renewal, or has, and somebody else may have it: it is taken anew.
    if (won.ok && until - now() > leaseMs / 2) hold(partition, { key: leaseKey, value: mine }, until);
  }

  async function renewOne(partition: string, fence: Check): Promise<void> {
    const key = keys.leaseExpiry(partition);
    for (;;) {
      const expiry = expiries.get(partition) ?? (await store.get(key));
      // What has been given up meanwhile would be kept from everybody for the length of a lease.
      if (fences.get(partition) !== fence) return;
      expiries.delete(partition);
      // Anew for each try: a later renewal may have come to its end while this one was under way.
      const until = now() + leaseMs;
      const renewed = await store.commit(partition, {
        // One that failed may be on its way still: behind this one it would shorten the lease.
        checks: [fence, { key, value: expiry }],
        mutations: [{ type: "set", key, value: String(until) }],
      });
      // Taken again meanwhile, under another fence: that one is not touched.
      if (fences.get(partition) !== fence) return;
      if (renewed.ok) return hold(partition, fence, until);
      if (isSameKey(renewed.failed, key)) continue;
      letGo(partition);
      lost.add(partition);
      return;
    }
  }

  async function giveUp(partition: string): Promise<void> {
    const fence = fences.get(partition);
    if (fence === undefined) return;
    letGo(partition);
    await givenUp.add(partition, fence);
  }

  function announce(): Promise<void> {
    if (!leaving) announcing = register.announce();
    return announcing;
  }

  async function leave(): Promise<void> {
    leaving = true;
    // One that never took part has nothing to give back, and a storage that is away need not hear of it.
    if (!announced) return;
    left ??= takeLeave();
    try {
      await left;
    } catch (error) {
      left = undefined;
      throw error;
    }
  }

  async function takeLeave(): Promise<void> {
    // Said after that, it would count for the length of a lease.
    await announcing.catch(() => {});
    await register.leave();
  }

  return {
    async acquire() {
      if (!announced) await announce();
      announced = true;
      share = await register.shareOf(partitions.length);
      const room = share - fences.size;
      if (room <= 0) return;
      const wanted = (await findFree()).slice(0, room);
      await Promise.all(wanted.map(take));
    },
    surplus: () => Math.max(0, fences.size - share),
    async renew() {
      const from = now();
      let fault: unknown;
      try {
        await Promise.all([
          ...[...fences].map(([partition, fence]) => renewOne(partition, fence)),
          announce(),
        ]);
        renewedUntil = from + leaseMs;
        settleValidity();
      } catch (error) {
        // The others go on: each is held from its own answer on.
        fault = error;
      }
      const gone = [...lost];
      lost.clear();
      return { lost: gone, fault };
    },
    validUntil: () => validUntil,
    heldUntil: (partition) => heldUntil.get(partition) ?? 0,
    fence: (partition) => fences.get(partition),
    holds: (partition) => fences.has(partition),
    held: () => [...fences.keys()],
    giveUp,
    lose: letGo,
    leave,
    async release() {
      // Not before: another worker of this process would take it for dead, with what it still holds.
      unregisterWorker(worker);
      await Promise.allSettled([...[...fences.keys()].map(giveUp), givenUp.settle()]);
      // Once more what has failed, and that is told of.
      await givenUp.settle();
      await leave();
    },
  };
}

interface LeaseRows {
  readonly partition: string;
  readonly lease: string | undefined;
  readonly expiry: string | undefined;
}

interface Lease {
  readonly token: number;
  readonly holder: WorkerIdentity;
}

function parseLease(text: string): Lease {
  return JSON.parse(text);
}
