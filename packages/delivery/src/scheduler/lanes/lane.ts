import { switchOffAfterFailures } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import type { Clock } from "../../time/clock.ts";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import { parseDeliveryRow } from "../../rows/delivery-row.ts";
import type { DeliveryRow } from "../../rows/delivery-row.ts";
import { createEarnedRoom } from "./earned-room.ts";
import type { Standing, TurnResult } from "./earned-room.ts";
import { createIdSet } from "./id-set.ts";
import type { IdSet } from "./id-set.ts";
import { createPublishedLately, latelyMs } from "./published-lately.ts";

/** A delivery whose turn comes next; a retry is read when its turn has come. */
export type QueueItem =
  | { readonly type: "fresh"; readonly id: string; readonly delivery: DeliveryRow }
  | { readonly type: "retry"; readonly id: string; readonly dueAt: number };

/** The queue of one webhook, as far as it is in memory: a small window of what the store holds. */
export interface Lane {
  readonly address: LaneAddress;
  readonly partition: string;
  /** Attempts under way. */
  sending: number;
  /** Turns begun and not yet durable, those under way included. */
  unrecorded: number;
  /** In which it waits for its turn, if it does, and its number there. */
  line: Standing | undefined;
  ticket: number;
  standing(): Standing;
  /**
   * Whether its next turn is one of those that troubled webhooks have at a pace. One that is slow has a turn without it for each delivery
   * that was published lately, whichever comes first in its queue: there are no more of them than are published, and no retry or backlog in front
   * of them makes a backlog of what follows. The clock is only looked at where that depends on it.
   */
  isPaced(clock: Pick<Clock, "now">): boolean;
  /** Its partition was lost: nothing of it may start any more. */
  dropped: boolean;
  isIdle(): boolean;
  /** When the earliest known retry falls due, and the rest after a fault is over. */
  nextRetryAt(): number | undefined;
  /** Deliveries in memory that wait for their turn. */
  waiting(): number;
  /** Whether a turn now would find work, in memory or in the store. The clock is only looked at where that depends on it. */
  hasWork(clock: Pick<Clock, "now">): boolean;
  hasRoom(): boolean;
  take(): QueueItem | undefined;
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
  /** The attempt has its answer; the room it took is free. */
  answered(result: TurnResult | "none", durationMs: number): void;
  /** The turn is durable. */
  forget(id: string): void;
  /** The turn could not be carried out: the store still holds the delivery, and its queue is read again later. */
  putBack(id: string, retryAt: number): void;
}

/** Rows read at once, for each attempt the webhook may have under way: one that has earned much is read far ahead. */
const windowPerRoom = 4;
/**
 * Rows that all webhooks together are read ahead, some 50 MB: ten thousand that do well and have each a backlog, as after an hour
 * without the storage, would be two million.
 */
const readAhead = 65_536;
/** But so many of each. */
const leastWindow = 4;
/** What this process has just published need not be read back, up to so many for one webhook. */
const maximumOffered = 1_024;
/**
 * Of one that is slow or fails no more than this is read at once, or kept of what was published, whatever its room: with a thousand others
 * its turn comes once in seconds, and it would be old by then. A thousand of them, each read far ahead, were 60 MB that the collector
 * went through.
 */
const windowOfTroubled = 16;
/** Shifting an array moves all of it: so many that have been taken are dropped at once. */
const mostTaken = 256;
/** What is answered but not durable is sent again after a crash: so many of one webhook at most. */
const maximumUnrecorded = 512;
/** After a fault of the store a lane rests, so that a store that is away is not asked in a tight loop. */
export const faultPauseMs = 1_000;

export interface LaneOptions {
  readonly store: Store;
  readonly address: LaneAddress;
  readonly partition: string;
  /** Whether its deliveries have waited, nobody knows for how long or why. */
  readonly isBacklog: boolean;
  /** How many webhooks share what is read ahead. */
  readonly laneCount: () => number;
}

export function createLane({ store, address, partition, isBacklog, laneCount }: LaneOptions): Lane {
  /** Ids that are waiting, under way, or not yet durable: the store still lists them, and they must not start twice. */
  const known = createIdSet();
  const waiting: QueueItem[] = [];
  const room = createEarnedRoom({ isBacklog });
  const publishedLately = createPublishedLately();
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

  function isTaken(id: string): boolean {
    return known.has(id) || doneWhileFilling?.has(id) === true;
  }

  /**
   * With those under way it may have failed so often in a row that it is switched off, which its row says once they are recorded:
   * nothing more is sent before that. Failures are recorded up to 25 ms apart, and an endpoint that refuses at once was sent a hundred.
   * What failed before the lane was opened is not counted here: then it may be a few more.
   */
  function awaitsSwitchOff({ sending, unrecorded }: Pick<Lane, "sending" | "unrecorded">): boolean {
    const { failuresInARow } = room;
    return failuresInARow > 0 && unrecorded > 0 && failuresInARow + sending >= switchOffAfterFailures;
  }

  function lookAgain(): void {
    moreFresh = true;
    if (freshReadTo !== undefined || filling) writtenBehind = true;
  }

  /** As many as are good for one that does well; of one that does not, few. */
  function bounded(count: number): number {
    return room.standing === "well" ? count : Math.min(count, windowOfTroubled);
  }

  /** Rows read at once. */
  function windowSize(): number {
    const share = Math.max(leastWindow, Math.floor(readAhead / laneCount()));
    return bounded(Math.min(windowPerRoom * room.attempts, share));
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
    if (freshReadTo === undefined) writtenBehind = false;
    const faults: unknown[] = [];
    for (const { key, value } of entries) {
      const id = key.at(-1);
      if (typeof id !== "string") throw new Error(`unexpected fresh key ${key.join("/")}`);
      try {
        if (isTaken(id)) continue;
        const delivery = parseDeliveryRow(value);
        append({ type: "fresh", id, delivery });
        // Another process may have published it, whose clock is not this one.
        if (Math.abs(now - delivery.created_at) < latelyMs) publishedLately.add(now);
      } catch (cause) {
        // One that is damaged must not keep those behind it.
        faults.push(new Error(`delivery ${id} is queued but cannot be read`, { cause }));
      }
    }
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
    address,
    partition,
    sending: 0,
    unrecorded: 0,
    line: undefined,
    ticket: 0,
    dropped: false,
    standing: () => room.standing,
    isPaced(clock) {
      if (room.standing !== "slow") return room.standing !== "well";
      // What is not in memory is read first, and that is not a turn.
      return head < waiting.length && publishedLately.isEmpty(clock.now());
    },
    isIdle: () => known.size === 0 && !moreFresh && !draining && !filling && nextRetryAt === undefined,
    nextRetryAt: () => (nextRetryAt === undefined ? undefined : Math.max(nextRetryAt, pausedUntil)),
    waiting: () => waiting.length - head,
    hasWork: (clock) =>
      (pausedUntil === 0 || clock.now() >= pausedUntil) &&
      (head < waiting.length ||
        (!filling && (moreFresh || draining || (nextRetryAt !== undefined && nextRetryAt <= clock.now())))),
    hasRoom() {
      return this.sending < room.attempts && this.unrecorded < maximumUnrecorded && !awaitsSwitchOff(this);
    },
    take() {
      const item = waiting[head];
      if (item === undefined) return undefined;
      head += 1;
      publishedLately.take();
      // The queue of a busy webhook may not be empty for days.
      if (head === waiting.length || head === mostTaken) {
        waiting.splice(0, head);
        head = 0;
      }
      return item;
    },
    offer(delivery, now) {
      publishedLately.add(now);
      if (!moreFresh && waiting.length - head < bounded(maximumOffered)) {
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
      room.drain();
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
    answered(result, durationMs) {
      this.sending -= 1;
      if (result !== "none") room.answered(result, durationMs);
    },
    forget(id) {
      if (known.delete(id)) this.unrecorded -= 1;
      doneWhileFilling?.add(id);
    },
    putBack(id, retryAt) {
      if (known.delete(id)) this.unrecorded -= 1;
      lookAgain();
      draining ||= removed;
      pausedUntil = retryAt;
      expectRetry(retryAt);
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
