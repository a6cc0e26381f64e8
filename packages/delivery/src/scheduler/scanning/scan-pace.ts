import { setImmediate as nextRound } from "node:timers/promises";
import type { Clock } from "../../time/clock.ts";

/** Between the seeks of a scan whatever else waits has its turn: a store that reads on this very thread answers at once. */
export interface ScanPace {
  /** Asked before every seek. Nothing while more of them may follow at once, else a promise of when. */
  rest(): Promise<void> | undefined;
}

/** The pace of looking around when nobody has asked for it: spread over the time there is. */
export interface LeisurelyPace extends ScanPace {
  /** A new look around begins. */
  begin(): void;
  /** Nobody is waited for any more: what is under way ends soon. */
  stop(): void;
}

const briskSeeksInARow = 16;
const fewestSeeksInARow = 32;
const pauseMs = 4;

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
 * A few seeks every four milliseconds, which hold nobody up for longer than one turn of a delivery does. A thousand webhooks
 * looked at in one go are 20 ms of a busy event loop, and every second that is where somebody's publish is late. The more
 * there are, the more seeks follow each other, so that a look around takes about `roundMs` however many there are.
 */
export function createLeisurelyPace(options: {
  readonly clock: Clock;
  readonly roundMs: number;
}): LeisurelyPace {
  const { clock, roundMs } = options;
  let inARow = fewestSeeksInARow;
  let seeksOfRound = 0;
  let sinceRest = 0;
  let resting: Promise<void> | undefined;
  let isStopped = false;
  let endRest = (): void => {};

  function pause(): Promise<void> {
    if (isStopped) return nextRound();
    return new Promise((resolve) => {
      const cancel = clock.schedule(resolve, pauseMs);
      endRest = () => {
        cancel();
        resolve();
      };
    });
  }

  return {
    begin() {
      inARow = Math.max(fewestSeeksInARow, Math.ceil((seeksOfRound * pauseMs) / roundMs));
      seeksOfRound = 0;
      sinceRest = 0;
    },
    rest() {
      seeksOfRound += 1;
      sinceRest += 1;
      // There is more than last time: the rest of it must not take many times as long.
      if (seeksOfRound * pauseMs > inARow * roundMs) inARow *= 2;
      // Two queues are looked at together: while one rests, so does the other.
      if (resting === undefined && sinceRest >= inARow) {
        sinceRest = 0;
        resting = pause().then(() => void (resting = undefined));
      }
      return resting;
    },
    stop() {
      isStopped = true;
      endRest();
    },
  };
}
