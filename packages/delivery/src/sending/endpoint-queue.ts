import type { Entry, Key, Store } from "@hookwright/storage";
import { DeliveryError } from "../delivery-error.ts";
import { keys } from "../storage/keys.ts";
import type { EndpointAddress } from "../storage/keys.ts";
import { parseDeliveryRow } from "../storage/delivery-codec.ts";
import type { DeliveryRow } from "../storage/delivery-row.ts";
import type { WaitingPlace } from "../waiting-deliveries.ts";

/** A delivery that is due. A retry is read from the store when its attempt starts. */
export type Queued =
  | { readonly type: "new"; readonly id: string; readonly delivery: DeliveryRow }
  | { readonly type: "retry"; readonly id: string; readonly dueAt: number };

/** Shared by the queues of all endpoints. */
export interface EndpointQueueOptions {
  readonly store: Store;
  readonly now: () => number;
  /** No retry is scheduled further ahead than this. */
  readonly longestRetryDelayMs: number;
  /** Offered deliveries that each keeps in memory. Further ones are read from the store later. */
  readonly maximumOffered: () => number;
}

/**
 * The due deliveries of one endpoint: a small prefetch window over its two queues in the store.
 *
 * A class: a worker creates one for each endpoint, often for a single delivery, and closures take several times the memory.
 */
export class EndpointQueue {
  readonly #address: EndpointAddress;
  readonly #options: EndpointQueueOptions;
  readonly #ready: Queued[] = [];
  /** In memory, in flight, or not recorded yet. The store still lists them. Not by id: V8 would intern a text for each delivery. */
  readonly #known = new Set<Queued>();
  /** The greatest id that was ever taken into memory. New ids ascend, so most are greater and need no search. */
  #greatestKnown = "";
  /** Absent as long as every row can be read. */
  #unreadable: Set<string> | undefined;
  #isDirty = false;
  /** Where the pass over the new deliveries has come to. `undefined`: the next pass starts at the head. */
  #readTo: Key | undefined;
  /** Something may have been written before that place: another pass follows. */
  #isDirtyBehind = false;
  /** The first new delivery in the store at the last scan. */
  #scannedHead: string | undefined;
  #nextDueAt: number | undefined;
  #areRetriesExpired = false;
  #isOrdered = false;
  /** They are about to be cancelled, so they do not wait for the retry of an earlier delivery. */
  #hurried: ReadonlySet<string> | undefined;
  /** Ids recorded during a refill: what it has read may be older. */
  #doneDuringRefill: Set<string> | undefined;

  constructor(address: EndpointAddress, options: EndpointQueueOptions) {
    this.#address = address;
    this.#options = options;
  }

  /** Due deliveries in memory that may start. */
  get ready(): number {
    return this.#isHeldBack() ? 0 : this.#ready.length;
  }

  /** Whether deliveries start in the order of their ids, each when the one before has ended. */
  get isOrdered(): boolean {
    return this.#isOrdered;
  }

  /**
   * In order, only the store says which delivery is next: the retry that waits, or the first new one. Another process may have published it
   * a moment before one that was offered here.
   */
  setOrdered(isOrdered: boolean): void {
    if (isOrdered === this.#isOrdered) return;
    this.#isOrdered = isOrdered;
    if (isOrdered) this.#forgetReady();
  }

  /** When the next known retry is due. */
  get nextDueAt(): number | undefined {
    return this.#nextDueAt;
  }

  /** Whether the store may hold due deliveries that are not in memory. */
  needsRefill(): boolean {
    if (this.#doneDuringRefill !== undefined) return false;
    return this.#areRetriesDue() || (this.#isDirty && this.#mayReadNew());
  }

  /** Whether nothing is in memory, in flight or expected. */
  isIdle(): boolean {
    return (
      this.#known.size === 0 &&
      this.#unreadable === undefined &&
      !this.#isDirty &&
      !this.#areRetriesExpired &&
      this.#nextDueAt === undefined &&
      this.#doneDuringRefill === undefined
    );
  }

  /** Adds a delivery that this process has just committed. */
  offer(delivery: DeliveryRow): void {
    const { id } = delivery;
    if (this.#isOrdered || this.#isDirty || this.#ready.length >= this.#options.maximumOffered())
      this.markDirty();
    // A read may have found it before it is offered.
    else if (id > this.#greatestKnown || !(this.#isKnown(id) || this.#doneDuringRefill?.has(id)))
      this.#add({ type: "new", id, delivery });
  }

  /** Another process may have written new deliveries. */
  markDirty(): void {
    this.#isDirty = true;
    if (this.#readTo !== undefined || this.#doneDuringRefill !== undefined) this.#isDirtyBehind = true;
  }

  /**
   * A scan has found this delivery at the head of the new ones. If the head is known, nothing unknown is before it. An unknown delivery
   * behind it is found when it becomes the head, or when the head has not changed since the last scan.
   */
  onScan(head: string): void {
    if (!this.#isKnown(head) || head === this.#scannedHead) this.markDirty();
    this.#scannedHead = head;
  }

  /** @param aheadMs how far ahead it was scheduled. @default not further than the worker's own delays */
  expectRetry(dueAt: number, aheadMs = 0): void {
    const clamped = this.#clampDueAt(dueAt, aheadMs);
    if (this.#nextDueAt === undefined || clamped < this.#nextDueAt) this.#nextDueAt = clamped;
  }

  /** The webhook was removed: all retries are due now, to be cancelled. */
  expireRetries(): void {
    this.#areRetriesExpired = true;
  }

  /**
   * Reads due deliveries from the store until `window` are in memory.
   *
   * @throws StorageError, or DeliveryError `delivery_unreadable` after the readable rows were taken
   */
  async refill(window: number): Promise<void> {
    this.#doneDuringRefill = new Set();
    const { isOrdered: wasOrdered } = this;
    try {
      if (this.#areRetriesDue()) await this.#readRetries(window);
      if (this.#isDirty && this.#ready.length < window && this.#mayReadNew()) await this.#readNew(window);
    } finally {
      this.#doneDuringRefill = undefined;
      // What was read is not what is next in order.
      if (this.#isOrdered && !wasOrdered) this.#forgetReady();
    }
  }

  /**
   * Puts deliveries ahead of the others although they may not be due: they are about to be cancelled. While another read runs it does
   * nothing. Call it again until they have ended.
   *
   * @throws StorageError
   */
  async hurry(wanted: readonly WaitingPlace[]): Promise<void> {
    if (this.#doneDuringRefill !== undefined) return;
    this.#doneDuringRefill = new Set();
    try {
      const ids = new Set(wanted.map(({ id }) => id));
      const texts = await this.#options.store.getMany(
        wanted.map(({ id, dueAt }) =>
          dueAt === undefined ? keys.newDelivery(this.#address, id) : keys.retry(this.#address, dueAt, id),
        ),
      );
      const skipped = this.#idsToSkip();
      wanted.forEach(({ id, dueAt }, index) => {
        const text = texts[index];
        if (text === undefined || skipped.has(id)) return;
        this.#add(
          dueAt === undefined
            ? { type: "new", id, delivery: parseDeliveryRow(text) }
            : { type: "retry", id, dueAt },
        );
      });
      const first = this.#ready.filter(({ id }) => ids.has(id));
      const others = this.#ready.filter(({ id }) => !ids.has(id));
      this.#ready.splice(0, this.#ready.length, ...first, ...others);
      this.#hurried = ids;
    } finally {
      this.#doneDuringRefill = undefined;
    }
  }

  take(): Queued | undefined {
    return this.#ready.shift();
  }

  /** The result is recorded. */
  done(queued: Queued): void {
    this.#known.delete(queued);
    this.#doneDuringRefill?.add(queued.id);
    // In order, the next one does not wait until the retry would have been due.
    if (this.#isOrdered && queued.type === "retry" && this.#hurried?.has(queued.id)) this.expectRetry(0);
  }

  /** The attempt was not made. The delivery is read from the store again. */
  putBack(queued: Queued): void {
    this.#known.delete(queued);
    if (this.#isOrdered) this.#forgetReady();
    this.markDirty();
    this.expectRetry(0);
  }

  /** What is in memory and not in flight is read again, retries first. */
  #forgetReady(): void {
    for (const queued of this.#ready.splice(0)) this.#known.delete(queued);
    this.#readTo = undefined;
    this.markDirty();
    this.expectRetry(0);
  }

  /** In order, new deliveries are read when those in memory have started and no retry waits. */
  #mayReadNew(): boolean {
    return !this.#isOrdered || (this.#ready.length === 0 && this.#nextDueAt === undefined);
  }

  /** In order, new deliveries wait for the retry of an earlier one, also while it is read. */
  #isHeldBack(): boolean {
    if (!this.#isOrdered) return false;
    if (this.#doneDuringRefill !== undefined) return true;
    const [next] = this.#ready;
    if (this.#nextDueAt === undefined || next?.type === "retry") return false;
    return next === undefined || this.#hurried?.has(next.id) !== true;
  }

  #add(queued: Queued): void {
    if (queued.id > this.#greatestKnown) this.#greatestKnown = queued.id;
    this.#known.add(queued);
    // In order, a retry is of an earlier delivery than the new ones that were read before it.
    const firstNew =
      this.#isOrdered && queued.type === "retry" ? this.#ready.findIndex(({ type }) => type === "new") : -1;
    if (firstNew === -1) this.#ready.push(queued);
    else this.#ready.splice(firstNew, 0, queued);
  }

  #isKnown(id: string): boolean {
    for (const queued of this.#known) if (queued.id === id) return true;
    return false;
  }

  /** The ids that a read does not take. */
  #idsToSkip(): Set<string> {
    const ids = new Set(this.#doneDuringRefill);
    for (const { id } of this.#known) ids.add(id);
    return ids;
  }

  /** A due time beyond the longest delay was written under a clock that has been set back since: it is due now. */
  #clampDueAt(dueAt: number, aheadMs: number): number {
    const time = this.#options.now();
    const longest = Math.max(this.#options.longestRetryDelayMs, aheadMs);
    return dueAt > time + longest ? time : dueAt;
  }

  #areRetriesDue(): boolean {
    return (
      this.#areRetriesExpired || (this.#nextDueAt !== undefined && this.#nextDueAt <= this.#options.now())
    );
  }

  async #readRetries(window: number): Promise<void> {
    const wereExpired = this.#areRetriesExpired;
    const limit = window + this.#known.size;
    const expectedAt = this.#nextDueAt;
    this.#nextDueAt = undefined;
    let entries: readonly Entry[];
    try {
      entries = await this.#options.store.list({ prefix: keys.retryQueue(this.#address), limit });
    } catch (error) {
      if (expectedAt !== undefined) this.expectRetry(expectedAt);
      throw error;
    }
    const skipped = this.#idsToSkip();
    for (const { key, value } of entries) {
      const [dueAt, id] = key.slice(-2);
      if (typeof dueAt !== "number" || typeof id !== "string") continue;
      const aheadMs = Number(value);
      if (this.#clampDueAt(dueAt, aheadMs) > this.#options.now() && !wereExpired)
        return this.expectRetry(dueAt, aheadMs);
      if (skipped.has(id)) continue;
      skipped.add(id);
      this.#add({ type: "retry", id, dueAt });
    }
    if (entries.length === limit) this.expectRetry(this.#options.now());
    else if (wereExpired) this.#areRetriesExpired = false;
  }

  async #readNew(window: number): Promise<void> {
    const prefix = keys.newQueue(this.#address);
    // In order, each pass begins at the head, where rows may be that cannot be sent.
    const after = this.#isOrdered ? undefined : this.#readTo;
    const limit = this.#isOrdered ? window + this.#known.size + (this.#unreadable?.size ?? 0) : window;
    const entries = await this.#options.store.list({ prefix, limit, after });
    this.#readTo = entries.length === limit ? entries.at(-1)?.key : undefined;
    this.#isDirty = this.#readTo !== undefined || this.#isDirtyBehind;
    if (this.#readTo === undefined) this.#isDirtyBehind = false;
    let error: DeliveryError | undefined;
    const skipped = this.#idsToSkip();
    for (const { key, value } of entries) {
      const id = String(key.at(-1));
      if (skipped.has(id)) continue;
      try {
        this.#add({ type: "new", id, delivery: parseDeliveryRow(value) });
      } catch (cause) {
        // A damaged row must not block the rows behind it. It is reported once.
        this.#unreadable ??= new Set();
        if (!this.#unreadable.has(id))
          error ??= new DeliveryError("delivery_unreadable", `delivery ${id} is queued but cannot be read`, {
            cause,
          });
        this.#unreadable.add(id);
      }
    }
    if (error !== undefined) throw error;
  }
}
