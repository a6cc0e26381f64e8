import type { Key, Store } from "@hookwright/storage";
import { DeliveryError } from "../../delivery-error.ts";
import type { Clock } from "../../time/clock.ts";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import { parseDeliveryRow } from "../../rows/delivery-row.ts";
import type { DeliveryRow } from "../../rows/delivery-row.ts";
import { createIdSet } from "./id-set.ts";
import type { IdSet } from "./id-set.ts";
import { createOwedTurns } from "./owed-turns.ts";
import type { OwedTurns } from "./owed-turns.ts";
import { freshId } from "./queue-news.ts";

/** A delivery whose turn comes next; a retry is read when its turn has come. */
export type QueueItem =
  | { readonly type: "fresh"; readonly id: string; readonly delivery: DeliveryRow }
  | { readonly type: "retry"; readonly id: string; readonly dueAt: number };

/** What waits for one webhook, as far as it is in memory: a small window of what the store holds. */
export interface LaneQueue extends Pick<OwedTurns, "expectBacklog" | "isUnknownBacklog" | "countNews"> {
  isIdle(): boolean;
  /** When the earliest known retry falls due, and the rest after a fault is over. */
  nextRetryAt(): number | undefined;
  /** Deliveries in memory that wait for their turn. */
  waiting(): number;
  /** Whether a turn now would find work, in memory or in the store. The clock is only looked at where that depends on it. */
  hasWork(clock: Pick<Clock, "now">): boolean;
  /**
   * Whether a delivery was published lately whose turn has not come, or may have been and is to be read. It is a count: where a retry or an old
   * backlog comes first in the queue, it has the turn.
   */
  hasPublishedLately(clock: Pick<Clock, "now">): boolean;
  /** @param isPaced whether the turn is not one of those for what was published lately. @default false */
  take(isPaced?: boolean): QueueItem | undefined;
  /** What a publish of this process has just written: it need not be read back. */
  offer(delivery: DeliveryRow, now: number): void;
  /** Whether it has turns enough in memory, of a queue that begins with this delivery. */
  isFed(firstId: string): boolean;
  /** Another process has written, or nobody knows: look into the store. */
  expectFresh(): void;
  expectRetry(dueAt: number): void;
  /** The webhook is gone: every delivery takes its turn now, to be cancelled. */
  drain(): void;
  fill(now: number): Promise<void>;
  /** The turn is durable. Answers whether it was one of this queue. */
  forget(id: string): boolean;
  /** The turn could not be carried out: the store still holds the delivery, and its queue is read again later. Answers the same. */
  putBack(id: string, retryAt: number): boolean;
}

/** Shifting an array moves all of it: so many that have been taken are dropped at once. */
const mostTaken = 256;
/** After a fault of the store a lane rests, so that a store that is away is not asked in a tight loop. */
export const faultPauseMs = 1_000;

export interface LaneQueueOptions {
  readonly store: Store;
  readonly address: LaneAddress;
  /** Whether its deliveries have waited, nobody knows for how long or why. */
  readonly isBacklog: boolean;
  /** Rows read at once. */
  readonly windowSize: () => number;
  /** What this process has just published is kept up to so many that wait. */
  readonly mostOffered: () => number;
}

export function createLaneQueue({
  store,
  address,
  isBacklog,
  windowSize,
  mostOffered,
}: LaneQueueOptions): LaneQueue {
  /** Ids that are waiting, under way, or not yet durable: the store still lists them, and they must not start twice. */
  const known = createIdSet();
  const waiting: QueueItem[] = [];
  let head = 0;
  let moreFresh = false;
  /** Where the windows of one pass over the queue have come to: what is known already is not listed with each. */
  let freshReadTo: Key | undefined;
  /** Something may have been written before that place: another pass is due. */
  let writtenBehind = false;
  let nextRetryAt: number | undefined;
  /** The webhook is gone: whatever is queued still, or again, is cancelled at its next turn. */
  let removed = false;
  let draining = false;
  /** 0 before the first pause. */
  let pausedUntil = 0;
  let filling = false;
  /** Ids that became durable while one of the queues was being read: what was read may be from before. */
  let doneWhileFilling: IdSet | undefined;
  const owed = createOwedTurns({ store, address, isBacklog, isTaken, isWaiting });

  function isTaken(id: string): boolean {
    return known.has(id) || doneWhileFilling?.has(id) === true;
  }

  function isWaiting(id: string): boolean {
    return waiting.some((item, place) => place >= head && item.id === id);
  }

  function lookAgain(): void {
    moreFresh = true;
    if (freshReadTo !== undefined || filling) writtenBehind = true;
  }

  function append(item: QueueItem): void {
    if (isTaken(item.id)) return;
    known.add(item.id);
    waiting.push(item);
  }

  async function fillFresh(now: number): Promise<void> {
    moreFresh = false;
    const limit = windowSize();
    const entries = await store.list({ prefix: keys.freshLane(address), limit, after: freshReadTo });
    freshReadTo = entries.length === limit ? entries.at(-1)?.key : undefined;
    if (freshReadTo !== undefined || writtenBehind) moreFresh = true;
    if (freshReadTo === undefined) {
      writtenBehind = false;
      owed.endsHere();
    }
    const faults: unknown[] = [];
    for (const { key, value } of entries) {
      const id = freshId(key);
      try {
        if (isTaken(id)) continue;
        const delivery = parseDeliveryRow(value);
        append({ type: "fresh", id, delivery });
        owed.read(delivery, now);
      } catch (cause) {
        // One that is damaged must not keep those behind it.
        faults.push(
          new DeliveryError("delivery_unreadable", `delivery ${id} is queued but cannot be read`, { cause }),
        );
      }
    }
    if (!moreFresh) owed.allRead();
    if (faults.length > 0) throw faults[0];
  }

  async function fillRetries(now: number): Promise<void> {
    const wasDraining = draining;
    nextRetryAt = undefined;
    const limit = windowSize() + known.size;
    const entries = await store.list({ prefix: keys.retryLane(address), limit });
    for (const { key } of entries) {
      const { dueAt, id } = retryKeyParts(key);
      if (dueAt > now && !wasDraining) {
        expectRetry(dueAt);
        return;
      }
      append({ type: "retry", id, dueAt });
    }
    if (entries.length === limit) expectRetry(now);
    else if (wasDraining) draining = false;
  }

  function expectRetry(dueAt: number): void {
    if (nextRetryAt === undefined || dueAt < nextRetryAt) nextRetryAt = dueAt;
  }

  return {
    expectBacklog: owed.expectBacklog,
    isUnknownBacklog: owed.isUnknownBacklog,
    countNews: owed.countNews,
    isIdle: () => known.size === 0 && !moreFresh && !draining && !filling && nextRetryAt === undefined,
    nextRetryAt: () => (nextRetryAt === undefined ? undefined : Math.max(nextRetryAt, pausedUntil)),
    waiting: () => waiting.length - head,
    hasWork: (clock) =>
      (pausedUntil === 0 || clock.now() >= pausedUntil) &&
      (head < waiting.length ||
        (!filling && (moreFresh || draining || (nextRetryAt !== undefined && nextRetryAt <= clock.now())))),
    hasPublishedLately: (clock) => (head < waiting.length ? !owed.isNone(clock.now()) : moreFresh),
    take(isPaced) {
      const item = waiting[head];
      if (item === undefined) return undefined;
      head += 1;
      if (!isPaced) owed.take();
      // The queue of a busy webhook may not be empty for days.
      if (head === waiting.length || head === mostTaken) {
        waiting.splice(0, head);
        head = 0;
      }
      return item;
    },
    offer(delivery, now) {
      // It was read before it was offered.
      if (isTaken(delivery.id)) return;
      const isKept = !moreFresh && waiting.length - head < mostOffered();
      owed.offered(now, isKept);
      if (isKept) {
        append({ type: "fresh", id: delivery.id, delivery });
        return;
      }
      // More waits in the store: memory stays bounded, and order is kept.
      moreFresh = true;
      // A resend has its id before it is written: others with a later one may have been read by then.
      const readTo = freshReadTo?.at(-1);
      if (filling || (typeof readTo === "string" && delivery.id <= readTo)) writtenBehind = true;
    },
    isFed: (firstId) => head < waiting.length && known.has(firstId),
    expectFresh: lookAgain,
    expectRetry(dueAt) {
      draining ||= removed;
      expectRetry(dueAt);
    },
    drain() {
      removed = true;
      draining = true;
      lookAgain();
    },
    async fill(now) {
      if (filling) return;
      filling = true;
      try {
        doneWhileFilling = createIdSet();
        // A damaged row there keeps no retry from its turn.
        const [fresh] = await Promise.allSettled([moreFresh ? fillFresh(now) : undefined]);
        // What became durable by now may have become a retry, and is read as one.
        doneWhileFilling = createIdSet();
        if (draining || (nextRetryAt !== undefined && nextRetryAt <= now)) await fillRetries(now);
        if (fresh.status === "rejected") throw fresh.reason;
      } catch (error) {
        lookAgain();
        pausedUntil = now + faultPauseMs;
        throw error;
      } finally {
        filling = false;
        doneWhileFilling = undefined;
        // A turn may have been put back meanwhile: looking for retries has forgotten when its rest is over.
        if (pausedUntil > now) expectRetry(pausedUntil);
      }
    },
    forget(id) {
      doneWhileFilling?.add(id);
      return known.delete(id);
    },
    putBack(id, retryAt) {
      lookAgain();
      draining ||= removed;
      pausedUntil = retryAt;
      expectRetry(retryAt);
      return known.delete(id);
    },
  };
}

function retryKeyParts(key: Key): { dueAt: number; id: string } {
  const dueAt = key.at(-2);
  const id = key.at(-1);
  if (typeof dueAt !== "number" || typeof id !== "string")
    throw new Error(`unexpected retry key ${key.join("/")}`);
  return { dueAt, id };
}
