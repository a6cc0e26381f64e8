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
 * A webhook earns room by accepting, and loses it by failing: one that hangs holds a few sockets, not sixty-four. What waited for
 * it before this process came begins with a single attempt: a thousand backlogs are not eight thousand attempts at once, whose
 * answers come at once too.
 */
const initialRoom = 8;
/** Who has failed is trusted again with this: three acceptances in a row are enough, and who accepts three of four is trusted for half of them or more. */
const trustedRoom = 4;
const maximumRoom = 64;
/** Who takes longer has no hurry. */
export const quickAnswerMs = 1_000;

export function createEarnedRoom({ isBacklog }: { readonly isBacklog: boolean }): EarnedRoom {
  /** It has failed, and not yet earned back what it is trusted with. */
  let isDoubtful = false;
  const room: Writable<EarnedRoom> = {
    attempts: isBacklog ? 1 : initialRoom,
    standing: "well",
    failuresInARow: 0,
    answered(result, durationMs) {
      if (result === "accepted") room.attempts = Math.min(maximumRoom, room.attempts + 1);
      // Nothing is sent: a backlog that is cancelled goes in steps as large as there are.
      else if (result === "cancelled") room.attempts = maximumRoom;
      else room.attempts = Math.max(1, room.attempts >> 1);
      room.failuresInARow = result === "failed" ? room.failuresInARow + 1 : 0;
      // One acceptance between failures proves nothing.
      if (result === "failed") isDoubtful = room.attempts < initialRoom;
      else if (room.attempts >= trustedRoom) isDoubtful = false;
      const isAccepted = result === "accepted";
      const isQuick = durationMs <= quickAnswerMs;
      if (isDoubtful) room.standing = isAccepted && isQuick ? "recovering" : "failing";
      else room.standing = isAccepted && !isQuick ? "slow" : "well";
    },
    drain() {
      room.standing = "well";
      room.failuresInARow = 0;
    },
  };
  return room;
}
