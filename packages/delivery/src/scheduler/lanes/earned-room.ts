import type { Writable } from "../../writable.ts";

/**
 * How its endpoint does: it accepts in time, has failed and just accepted again, accepts and takes more than a second for it, or fails.
 */
export type Standing = "well" | "recovering" | "slow" | "failing";

/** What came of a turn, as far as it tells of the endpoint. */
export type TurnResult = "accepted" | "failed" | "cancelled";

/** How many attempts of one webhook may be under way at once, and how it stands: both follow from its answers. */
export interface EarnedRoom {
  /** Attempts at once. */
  readonly attempts: number;
  readonly standing: Standing;
  /** Failed attempts since the last that was accepted, recorded or not. */
  readonly failuresInARow: number;
  answered(result: TurnResult, durationMs: number): void;
  /** From now on it is only cancelled: nothing is sent, so it stands like any other until an answer tells otherwise. */
  drain(): void;
}

/**
 * A webhook earns room by accepting, and loses it by failing, down to this: one that hangs holds a few sockets, not sixty-four, and the
 * retries of a few deliveries begin when they are due, though each of them hangs for ten seconds. What waited for
 * it before this process came begins with a single attempt: a thousand backlogs are not eight thousand attempts at once, whose
 * answers come at once too. Once it has failed its turns are paced, and it shares what is free.
 */
const initialRoom = 8;
/** Who has failed is trusted again with this: three acceptances in a row are enough, and who accepts three of four is trusted for half of them or more. */
const enoughTrust = 4;
const maximumRoom = 64;
/** Who takes longer has no hurry. */
export const quickAnswerMs = 1_000;
/** Who was slow is not any more after so many quick acceptances in a row: one among slow ones proves nothing. */
const quickInARow = 3;

export function createEarnedRoom({ isBacklog }: { readonly isBacklog: boolean }): EarnedRoom {
  /** What it has earned. */
  let trust = isBacklog ? 1 : initialRoom;
  /** What it has at least. */
  let leastRoom = 1;
  /** It has failed, and not yet earned back what it is trusted with. */
  let isDoubtful = false;
  /** Quick acceptances that are missing until it is not slow any more. */
  let quickMissing = 0;
  const room: Writable<EarnedRoom> = {
    attempts: trust,
    standing: "well",
    failuresInARow: 0,
    answered(result, durationMs) {
      if (result === "accepted") trust = Math.min(maximumRoom, trust + 1);
      // Nothing is sent: a backlog that is cancelled goes in steps as large as there are.
      else if (result === "cancelled") trust = maximumRoom;
      else trust = Math.max(1, trust >> 1);
      room.failuresInARow = result === "failed" ? room.failuresInARow + 1 : 0;
      // One acceptance between failures proves nothing.
      if (result === "failed") isDoubtful = trust < initialRoom;
      else if (trust >= enoughTrust) isDoubtful = false;
      const isQuick = durationMs <= quickAnswerMs;
      if (result === "cancelled") quickMissing = 0;
      else if (result === "accepted") quickMissing = isQuick ? Math.max(0, quickMissing - 1) : quickInARow;
      if (isDoubtful) room.standing = result === "accepted" && isQuick ? "recovering" : "failing";
      else room.standing = quickMissing > 0 ? "slow" : "well";
      if (result === "failed") leastRoom = initialRoom;
      room.attempts = Math.max(trust, leastRoom);
    },
    drain() {
      quickMissing = 0;
      room.standing = "well";
      room.failuresInARow = 0;
    },
  };
  return room;
}
