import type { Readiness } from "@hookwright/api";
import type { Clock } from "@hookwright/delivery";
import type { WriteLogLine } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { describeProblem, noAnswerInTime } from "./describe-problem.ts";

/** Proves that the storage can be written. */
export interface WriteCheck {
  /** Whether a write works. At most one write is under way, and its result is kept for some seconds. */
  readonly check: () => Promise<Readiness>;
  /** What was found last; false before the first check. */
  readonly isWritable: () => boolean;
}

export interface WriteCheckOptions {
  readonly store: Store;
  /** For how long a result is kept. */
  readonly clock: Clock;
  /** What is written: milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: WriteLogLine;
}

/** One row for all processes. It belongs to no account. */
const key: Key = ["p00", "readiness"];
/** `/readyz` is public, so probes must not be able to write more often than this. */
const keptWhenReadyMs = 5_000;
/** Shorter, so that a process receives requests soon after the storage is back. */
const keptWhenNotReadyMs = 1_000;
/** Less than the 3 s after which a store in Redis gives up, and after which the API stops waiting for an answer. */
const longestMs = 2_500;

interface Result {
  readonly readiness: Readiness;
  readonly at: number;
}

/**
 * Writes one small row that all processes share. It is written without checks, so processes never refuse each other's
 * commits, and it wakes nobody.
 */
export function createWriteCheck({ store, clock, now, log }: WriteCheckOptions): WriteCheck {
  let last: Result | undefined;
  /** The answer to those who ask while a write is under way. It resolves in time even if the write does not end. */
  let underWay: Promise<Readiness> | undefined;

  function keep(readiness: Readiness): Readiness {
    last = { readiness, at: clock.now() };
    return readiness;
  }

  function fail(error: unknown): Readiness {
    const problem = describeProblem(error);
    log("not_ready", { problem, error });
    return keep({ ready: false, problem });
  }

  async function write(): Promise<Readiness> {
    try {
      await store.commit(key[0], { mutations: [{ type: "set", key, value: String(now()) }] });
      return keep({ ready: true });
    } catch (error) {
      return fail(error);
    }
  }

  function begin(): Promise<Readiness> {
    const { promise, resolve } = Promise.withResolvers<Readiness>();
    const cancel = clock.schedule(() => resolve(fail(noAnswerInTime(longestMs))), longestMs);
    void write().then((readiness) => {
      cancel();
      underWay = undefined;
      resolve(readiness);
    });
    return promise;
  }

  return {
    async check() {
      if (last !== undefined) {
        const age = clock.now() - last.at;
        const keptMs = last.readiness.ready ? keptWhenReadyMs : keptWhenNotReadyMs;
        if (age >= 0 && age < keptMs) return last.readiness;
      }
      underWay ??= begin();
      return underWay;
    },
    isWritable: () => last?.readiness.ready ?? false,
  };
}
