import { setImmediate as nextRound } from "node:timers/promises";
import type { Clock } from "../../time/clock.ts";

/** Between the seeks of a scan whatever else waits has its turn: a store that reads on this very thread answers at once. */
export interface ScanPace {
  /** Asked before every seek. Nothing while more of them may follow at once, else a promise of when. */
  rest(): Promise<void> | undefined;
}

/** The pace of looking around when nobody has asked for it. */
export interface LeisurelyPace extends ScanPace {
  /** A new look around begins. */
  begin(): void;
  /** Whether the look that is under way, or was the last, has more seeks than are made in some milliseconds. */
  hasMany(): boolean;
  /** Nobody is waited for any more: what is under way ends soon. */
  stop(): void;
}

const briskSeeksInARow = 16;
/** Of a look with few seeks so many follow each other: it wakes an idle process up a few times, and nobody waits. */
const fewSeeks = 256;
const few = { inARow: 32, pauseMs: 4 };
/** Of a look with more: two hundred and fifty a second, which wake an idle process up thirty times. */
const many = { inARow: 8, pauseMs: 32 };

/** One round of the event loop between so many seeks: for whoever waits for what is found. */
export function createBriskPace(): ScanPace {
  let seeks = 0;
  return {
    rest() {
      seeks += 1;
      return seeks % briskSeeksInARow === 0 ? nextRound() : undefined;
    },
  };
}

/**
 * A few seeks every few milliseconds, which hold nobody up for longer than one turn of a delivery does. A thousand webhooks
 * looked at in one go are 20 ms of a busy event loop, and every second that is where somebody's publish is late; thirty-two in a row
 * still are one. So a look takes the longer the more there is to look at: four seconds for a thousand webhooks that have deliveries waiting.
 */
export function createLeisurelyPace(clock: Clock): LeisurelyPace {
  let wereMany = false;
  let seeks = 0;
  let sinceRest = 0;
  let resting: Promise<void> | undefined;
  let isStopped = false;
  let endRest = (): void => {};

  function pause(): Promise<void> {
    if (isStopped) return nextRound();
    return new Promise((resolve) => {
      const cancel = clock.schedule(resolve, current().pauseMs);
      endRest = () => {
        cancel();
        resolve();
      };
    });
  }

  function current(): typeof few {
    return wereMany || seeks > fewSeeks ? many : few;
  }

  function isRestDue(): boolean {
    return sinceRest >= current().inARow;
  }

  function count(): void {
    seeks += 1;
    sinceRest += 1;
  }

  async function takeRest(): Promise<void> {
    await pause();
    sinceRest = 0;
    resting = undefined;
  }

  /** Many wait for the same rest, and not all of them seek after it. */
  async function countAfterRest(): Promise<void> {
    do {
      resting ??= takeRest();
      await resting;
    } while (isRestDue());
    count();
  }

  return {
    begin() {
      wereMany = seeks > fewSeeks;
      seeks = 0;
      sinceRest = 0;
    },
    rest() {
      if (resting !== undefined || isRestDue()) return countAfterRest();
      count();
      return undefined;
    },
    hasMany: () => seeks > fewSeeks,
    stop() {
      isStopped = true;
      endRest();
    },
  };
}
