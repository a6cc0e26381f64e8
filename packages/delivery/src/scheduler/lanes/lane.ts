import { switchOffAfterFailures } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { Clock } from "../../time/clock.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import { createEarnedRoom } from "./earned-room.ts";
import type { Standing, TurnResult } from "./earned-room.ts";
import { createLaneQueue } from "./lane-queue.ts";
import type { LaneQueue } from "./lane-queue.ts";

/** One webhook's way to its turns: what waits for it, how its endpoint does, and how much may be under way. */
export interface Lane extends Omit<LaneQueue, "hasPublishedLately" | "forget" | "putBack"> {
  readonly address: LaneAddress;
  readonly partition: string;
  /** Attempts under way. */
  sending: number;
  /** Turns begun and not yet durable, those under way included. */
  unrecorded: number;
  /** In which it waits for its turn, if it does, and its number there. */
  line: Standing | undefined;
  ticket: number;
  /** Whether it stands beside that in the line of those that are slow and may go unpaced. */
  isInUnpacedLine: boolean;
  standing(): Standing;
  /**
   * Whether it may have a turn without the pace of those that are not well. One that is slow has one for each delivery
   * that was published lately: there are no more of them than are published. Those of its backlog come at the pace, beside them. The clock is only
   * looked at where that depends on it.
   */
  mayGoUnpaced(clock: Pick<Clock, "now">): boolean;
  /** Its partition was lost: nothing of it may start any more. */
  dropped: boolean;
  hasRoom(): boolean;
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
/** What is answered but not durable is sent again after a crash: so many of one webhook at most. */
const maximumUnrecorded = 512;

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
  const room = createEarnedRoom({ isBacklog });
  const queue = createLaneQueue({
    store,
    address,
    isBacklog,
    windowSize,
    mostOffered: () => bounded(maximumOffered),
  });

  /**
   * With those under way it may have failed so often in a row that it is switched off, which its row says once they are recorded:
   * nothing more is sent before that. Failures are recorded up to 25 ms apart, and an endpoint that refuses at once was sent a hundred.
   * What failed before the lane was opened is not counted here: then it may be a few more.
   */
  function awaitsSwitchOff({ sending, unrecorded }: Pick<Lane, "sending" | "unrecorded">): boolean {
    const { failuresInARow } = room;
    return failuresInARow > 0 && unrecorded > 0 && failuresInARow + sending >= switchOffAfterFailures;
  }

  /** As many as are good for one that does well; of one that does not, few. */
  function bounded(count: number): number {
    return room.standing === "well" ? count : Math.min(count, windowOfTroubled);
  }

  function windowSize(): number {
    const share = Math.max(leastWindow, Math.floor(readAhead / laneCount()));
    return bounded(Math.min(windowPerRoom * room.attempts, share));
  }

  return {
    ...queue,
    address,
    partition,
    sending: 0,
    unrecorded: 0,
    line: undefined,
    ticket: 0,
    isInUnpacedLine: false,
    dropped: false,
    standing: () => room.standing,
    mayGoUnpaced: (clock) =>
      room.standing === "slow" ? queue.hasPublishedLately(clock) : room.standing === "well",
    hasRoom() {
      return this.sending < room.attempts && this.unrecorded < maximumUnrecorded && !awaitsSwitchOff(this);
    },
    drain() {
      room.drain();
      queue.drain();
    },
    answered(result, durationMs) {
      this.sending -= 1;
      if (result !== "none") room.answered(result, durationMs);
    },
    forget(id) {
      if (queue.forget(id)) this.unrecorded -= 1;
    },
    putBack(id, retryAt) {
      if (queue.putBack(id, retryAt)) this.unrecorded -= 1;
    },
  };
}
