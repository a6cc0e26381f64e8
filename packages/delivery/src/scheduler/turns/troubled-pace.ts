import type { Clock } from "../../time/clock.ts";

/** How fast troubled webhooks take their turns, all of them together. */
export interface TroubledPace {
  /** Whether one more may begin now. */
  mayBegin(): boolean;
  begin(): void;
  /** One that was begun has come to something: the delivery was accepted, and in time. Another may begin in its place. */
  giveBack(): void;
  /** Somebody who does well has accepted a delivery, at this moment: for the next ten seconds the pace is a quarter of what it is otherwise. */
  othersAccepted(now: number): void;
  /** Calls back once the next may begin; one callback at a time. */
  whenMore(callback: () => void): void;
}

/**
 * Attempts at endpoints that fail come to nothing, and with a backlog of them there is always another one to make: unpaced
 * they take the whole processor, and whoever does well waits for it. So it is what comes to nothing that is paced: an endpoint that
 * refuses one in two is not held up for the other. What the others wait grows
 * with the pace: docs/decisions/troubled-webhooks.md has the series.
 */
const turnsEachMs = { alone: 0.5, besideOthers: 0.125 };
/** Others are there for so long after they last accepted a delivery: who publishes now and then is not to meet the whole pace each time. */
const besideOthersMs = 10_000;
/** After a quiet time so many begin at once: a few endpoints that fail are tried without delay. */
const mostSaved = 256;
/**
 * Once all are used up, the next begin so many together. One that comes alone costs several times what it does in a stream, for whatever
 * it needs is cold; together they wake the process up once, and so do their answers.
 */
const together = 4;

export function createTroubledPace(clock: Clock): TroubledPace {
  let saved = mostSaved;
  let countedAt = clock.now();
  let acceptedAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  /** All are used up, and not yet enough of them saved again. */
  let isUsedUp = false;

  /** A clock of the host's own may be set back: then nobody is there until the next one accepts. */
  function isBesideOthers(now: number): boolean {
    const since = now - acceptedAt;
    return since >= 0 && since < besideOthersMs;
  }

  function perMs(now: number): number {
    return isBesideOthers(now) ? turnsEachMs.besideOthers : turnsEachMs.alone;
  }

  function count(now: number): void {
    saved = Math.min(mostSaved, saved + Math.max(0, now - countedAt) * perMs(now));
    countedAt = now;
  }

  return {
    mayBegin() {
      if (isUsedUp) {
        count(clock.now());
        isUsedUp = saved < together;
      }
      return !isUsedUp;
    },
    begin() {
      count(clock.now());
      saved -= 1;
      isUsedUp = saved < 1;
    },
    giveBack() {
      saved = Math.min(mostSaved, saved + 1);
      isUsedUp &&= saved < 1;
    },
    othersAccepted(now) {
      // What has passed until now had the pace it had.
      count(now);
      acceptedAt = now;
    },
    whenMore(callback) {
      if (isWaiting) return;
      isWaiting = true;
      const untilNextMs = Math.ceil((together - saved) / perMs(countedAt));
      clock.schedule(
        () => {
          isWaiting = false;
          callback();
        },
        Math.max(1, untilNextMs),
      );
    },
  };
}
