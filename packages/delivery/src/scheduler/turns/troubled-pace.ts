import type { Clock } from "../../time/clock.ts";

/** How fast troubled webhooks take their turns, all of them together. */
export interface TroubledPace {
  /** Whether one more may begin now. */
  mayBegin(): boolean;
  begin(): void;
  /** One that was begun has come to something: the delivery was accepted, and in time. Another may begin in its place. */
  giveBack(): void;
  /** Somebody who does well has accepted a delivery, at this moment: for the next ten seconds the pace follows what they accept. */
  othersAccepted(now: number): void;
  /** Calls back when it is time to ask again: when the next may begin, as far as that is known, and after a second at the latest. One callback at a time. */
  whenMore(callback: () => void): void;
}

/**
 * Attempts at endpoints that fail come to nothing, and with a backlog of them there is always another one to make: unpaced
 * they take the whole processor, and whoever does well waits for it. So it is what comes to nothing that is paced: an endpoint that
 * refuses one in two is not held up for the other. What the others wait grows
 * with the pace: docs/decisions/troubled-webhooks.md has the series.
 */
const turnsEachMs = { alone: 0.5, besideOthers: 0.0125 };
/** Beside others one for every eight deliveries they accept, where that is more: it costs a few hundredths of what these do, however much is delivered. */
const turnsEachAcceptance = 1 / 8;
/** Others are there for so long after they last accepted a delivery: who publishes now and then is not to meet the whole pace each time. */
const besideOthersMs = 10_000;
/** After a quiet time so many begin at once: a few endpoints that fail are tried without delay. */
const mostSaved = 256;
/**
 * Once all are used up, the next begin so many together. One that comes alone costs several times what it does in a stream, for whatever
 * it needs is cold; together they wake the process up once, and so do their answers.
 */
const together = 4;
/** What others accept in a heap, or leave when they are gone, is no heap of turns: for those that wait no more than so many are saved, but for those that are given back. */
const mostTogether = 8;
/** No pace makes four in less. */
const leastWaitMs = together / turnsEachMs.alone;
/** Others may be gone by then, and the pace another. */
const mostWaitMs = 1_000;

export function createTroubledPace(clock: Clock): TroubledPace {
  let saved = mostSaved;
  let countedAt = clock.now();
  let acceptedAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  /** All are used up, and not yet enough of them saved again. */
  let isUsedUp = false;
  /** What others accept in each millisecond, as it was a moment ago. */
  const acceptances = createRate();

  /** A clock of the host's own may be set back: then nobody is there until the next one accepts. */
  function isBesideOthers(now: number): boolean {
    const since = now - acceptedAt;
    return since >= 0 && since < besideOthersMs;
  }

  function eachMs(now: number): number {
    if (!isBesideOthers(now)) return turnsEachMs.alone;
    const followed = acceptances.eachMs(now) * turnsEachAcceptance;
    return Math.min(turnsEachMs.alone, Math.max(turnsEachMs.besideOthers, followed));
  }

  function count(now: number): void {
    const passedMs = Math.max(0, now - countedAt);
    countedAt = now;
    const room = (isWaiting ? mostTogether : mostSaved) - saved;
    saved += Math.min(passedMs * eachMs(now), Math.max(0, room));
  }

  return {
    mayBegin() {
      // The timer tells, not whoever happens to look: they are to begin together, and not in a round that others have begun.
      if (isUsedUp && !isWaiting) {
        count(clock.now());
        isUsedUp = saved < together;
      }
      return !isUsedUp;
    },
    begin() {
      // While others wait for the timer it is one that was given back, and brings no more along.
      if (!isWaiting) count(clock.now());
      saved -= 1;
      isUsedUp = saved < 1;
    },
    giveBack() {
      saved = Math.min(mostSaved, saved + 1);
      isUsedUp &&= saved < 1;
    },
    othersAccepted(now) {
      // What has passed until now had the pace it had.
      if (!isBesideOthers(now)) count(now);
      acceptedAt = now;
      acceptances.add(now);
    },
    whenMore(callback) {
      if (isWaiting) return;
      isWaiting = true;
      const untilNextMs = Math.ceil((together - saved) / eachMs(countedAt));
      clock.schedule(
        () => {
          count(clock.now());
          isWaiting = false;
          callback();
        },
        Math.min(mostWaitMs, Math.max(leastWaitMs, untilNextMs)),
      );
    },
  };
}

/** How many come in a millisecond, as it was in the last whole second; none, where none has come for a while. */
function createRate() {
  const wholeMs = 1_000;
  let sum = 0;
  let since = Number.NEGATIVE_INFINITY;
  let last = 0;

  function eachMs(now: number): number {
    const passedMs = now - since;
    if (passedMs < wholeMs) return last;
    return passedMs < wholeMs * 2 ? sum / passedMs : 0;
  }

  return {
    eachMs,
    add(now: number): void {
      const passedMs = now - since;
      // A clock of the host's own may be set back.
      if (passedMs >= wholeMs || passedMs < 0) {
        last = eachMs(now);
        sum = 0;
        since = now;
      }
      sum += 1;
    },
  };
}
