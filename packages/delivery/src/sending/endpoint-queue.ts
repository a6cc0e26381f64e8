import type { Entry, Key, Store } from "@hookwright/storage";
import { DeliveryError } from "../delivery-error.ts";
import { keys } from "../storage/keys.ts";
import type { EndpointAddress } from "../storage/keys.ts";
import { parseDeliveryRow } from "../storage/codec.ts";
import type { DeliveryRow } from "../storage/codec.ts";

/** A delivery that is due. A retry is read from the store when its attempt starts. */
export type Queued =
  | { readonly type: "new"; readonly id: string; readonly delivery: DeliveryRow }
  | { readonly type: "retry"; readonly id: string; readonly dueAt: number };

export type EndpointQueue = ReturnType<typeof createEndpointQueue>;

export interface EndpointQueueOptions {
  readonly store: Store;
  readonly address: EndpointAddress;
  readonly now: () => number;
  /** No retry is scheduled further ahead than this. */
  readonly longestRetryDelayMs: number;
}

/** Offered deliveries kept in memory. Further ones are read from the store later. */
const maximumOffered = 256;

/** The due deliveries of one endpoint: a small prefetch window over its two queues in the store. */
export function createEndpointQueue(options: EndpointQueueOptions) {
  const { store, address, now, longestRetryDelayMs } = options;
  const ready: Queued[] = [];
  /** Ids in memory, in flight, or not recorded yet. The store still lists them. */
  const known = new Set<string>();
  const unreadable = new Set<string>();
  let isDirty = false;
  /** Where the pass over the new deliveries has come to. `undefined`: the next pass starts at the head. */
  let readTo: Key | undefined;
  /** Something may have been written before that place: another pass follows. */
  let isDirtyBehind = false;
  let nextDueAt: number | undefined;
  let areRetriesExpired = false;
  /** Ids recorded during a refill: what it has read may be older. */
  let doneDuringRefill: Set<string> | undefined;

  function add(queued: Queued): void {
    if (known.has(queued.id) || doneDuringRefill?.has(queued.id) === true) return;
    known.add(queued.id);
    ready.push(queued);
  }

  /** A due time beyond the longest delay was written under a clock that has been set back since: it is due now. */
  function clampDueAt(dueAt: number): number {
    const time = now();
    return dueAt > time + longestRetryDelayMs ? time : dueAt;
  }

  function expectRetry(dueAt: number): void {
    const clamped = clampDueAt(dueAt);
    if (nextDueAt === undefined || clamped < nextDueAt) nextDueAt = clamped;
  }

  function areRetriesDue(): boolean {
    return areRetriesExpired || (nextDueAt !== undefined && nextDueAt <= now());
  }

  async function readRetries(window: number): Promise<void> {
    const wereExpired = areRetriesExpired;
    const limit = window + known.size;
    const expectedAt = nextDueAt;
    nextDueAt = undefined;
    let entries: readonly Entry[];
    try {
      entries = await store.list({ prefix: keys.retryQueue(address), limit });
    } catch (error) {
      if (expectedAt !== undefined) expectRetry(expectedAt);
      throw error;
    }
    for (const { key } of entries) {
      const [dueAt, id] = key.slice(-2);
      if (typeof dueAt !== "number" || typeof id !== "string") continue;
      if (clampDueAt(dueAt) > now() && !wereExpired) return expectRetry(dueAt);
      add({ type: "retry", id, dueAt });
    }
    if (entries.length === limit) expectRetry(now());
    else if (wereExpired) areRetriesExpired = false;
  }

  async function readNew(window: number): Promise<void> {
    const entries = await store.list({ prefix: keys.newQueue(address), limit: window, after: readTo });
    readTo = entries.length === window ? entries.at(-1)?.key : undefined;
    isDirty = readTo !== undefined || isDirtyBehind;
    if (readTo === undefined) isDirtyBehind = false;
    let error: DeliveryError | undefined;
    for (const { key, value } of entries) {
      const id = String(key.at(-1));
      if (known.has(id)) continue;
      try {
        add({ type: "new", id, delivery: parseDeliveryRow(value) });
      } catch (cause) {
        // A damaged row must not block the rows behind it. It is reported once.
        if (!unreadable.has(id))
          error ??= new DeliveryError("delivery_unreadable", `delivery ${id} is queued but cannot be read`, {
            cause,
          });
        unreadable.add(id);
      }
    }
    if (error !== undefined) throw error;
  }

  /** Another process may have written new deliveries. */
  function markDirty(): void {
    isDirty = true;
    if (readTo !== undefined || doneDuringRefill !== undefined) isDirtyBehind = true;
  }

  return {
    /** Due deliveries in memory. */
    get ready(): number {
      return ready.length;
    },
    /** When the next known retry is due. */
    get nextDueAt(): number | undefined {
      return nextDueAt;
    },
    /** Whether the store may hold due deliveries that are not in memory. */
    needsRefill: (): boolean => doneDuringRefill === undefined && (isDirty || areRetriesDue()),
    /** Whether nothing is in memory, in flight or expected. */
    isIdle: (): boolean =>
      known.size === 0 &&
      unreadable.size === 0 &&
      !isDirty &&
      !areRetriesExpired &&
      nextDueAt === undefined &&
      doneDuringRefill === undefined,
    /** Adds a delivery that this process has just committed. */
    offer(delivery: DeliveryRow): void {
      if (isDirty || ready.length >= maximumOffered) markDirty();
      else add({ type: "new", id: delivery.id, delivery });
    },
    markDirty,
    expectRetry,
    /** The webhook was removed: all retries are due now, to be cancelled. */
    expireRetries: (): void => void (areRetriesExpired = true),
    /**
     * Reads due deliveries from the store until `window` are in memory.
     *
     * @throws StorageError, or DeliveryError `delivery_unreadable` after the readable rows were taken
     */
    async refill(window: number): Promise<void> {
      doneDuringRefill = new Set();
      try {
        if (areRetriesDue()) await readRetries(window);
        if (isDirty && ready.length < window) await readNew(window);
      } finally {
        doneDuringRefill = undefined;
      }
    },
    take: (): Queued | undefined => ready.shift(),
    /** The result is recorded. */
    done(id: string): void {
      known.delete(id);
      doneDuringRefill?.add(id);
    },
    /** The attempt was not made. The delivery is read from the store again. */
    putBack(id: string): void {
      known.delete(id);
      markDirty();
      expectRetry(0);
    },
  };
}
