import { randomBytes } from "node:crypto";
import type { Readiness } from "@hookwright/api";
import type { Clock } from "@hookwright/delivery";
import type { WriteLogLine } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import type { CommitOutcomes } from "./commit-outcomes.ts";
import { describeProblem, timeoutError } from "./describe-problem.ts";

/** Checks that the storage is writable. */
export interface WriteCheck {
  /**
   * Fails while most commits fail. Otherwise it writes a row. Only one write is in progress at a time, and the result is cached
   * for some seconds.
   */
  readonly check: () => Promise<Readiness>;
  /** The latest result. False before the first check. */
  readonly isWritable: () => boolean;
}

export interface WriteCheckOptions {
  readonly store: Store;
  /** The commits of this store, with those of the check. */
  readonly outcomes: CommitOutcomes;
  /** Limits the age of the cached result. */
  readonly clock: Clock;
  /** The written value: milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: WriteLogLine;
}

/** One row for all processes. It belongs to no account. */
const key: Key = ["p00", "readiness"];
/** `/readyz` is public, so probes must not cause more writes than this. */
const cachedWhenReadyMs = 5_000;
/** Shorter, so that a process receives requests soon after the storage is available again. Also while commits fail. */
const cachedWhenNotReadyMs = 1_000;
/** Less than the 3 s after which a Redis store gives up and the API stops waiting. */
const longestMs = 2_500;

interface Result {
  readonly readiness: Readiness;
  readonly at: number;
}

/**
 * Writes one row that all processes share. The write has no conditions, so processes never refuse each other's commits, and
 * it notifies nobody.
 *
 * The row is small, and after failed commits as large as these: on an almost full disk only small writes succeed.
 */
export function createWriteCheck({ store, outcomes, clock, now, log }: WriteCheckOptions): WriteCheck {
  let last: Result | undefined;
  /** The time of the first failed check in a row. */
  let unavailableSince: number | undefined;
  /**
   * The result of the write in progress, which all callers share. It resolves in time even if the write does not end.
   */
  let inProgress: Promise<Readiness> | undefined;

  function cache(readiness: Readiness): Readiness {
    const at = clock.now();
    if (!readiness.ready) unavailableSince ??= at;
    else if (unavailableSince !== undefined) {
      log("storage_available", { unavailable_ms: Math.round(at - unavailableSince) });
      unavailableSince = undefined;
    }
    last = { readiness, at };
    return readiness;
  }

  function fail(error: unknown): Readiness {
    const problem = describeProblem(error);
    log("not_ready", { problem, error });
    return cache({ ready: false, problem });
  }

  async function write(): Promise<Readiness> {
    const value = createValue(now(), outcomes.failedLength());
    try {
      await store.commit(key[0], { mutations: [{ type: "set", key, value }] });
      outcomes.forget();
      return cache({ ready: true });
    } catch (error) {
      return fail(error);
    }
  }

  function startWrite(): Promise<Readiness> {
    const { promise, resolve } = Promise.withResolvers<Readiness>();
    const cancel = clock.schedule(() => resolve(fail(timeoutError(longestMs))), longestMs);
    void write().then((readiness) => {
      cancel();
      inProgress = undefined;
      resolve(readiness);
    });
    return promise;
  }

  return {
    async check() {
      if (last !== undefined) {
        const age = clock.now() - last.at;
        const isQuiet = last.readiness.ready && outcomes.failedLength() === 0;
        if (age >= 0 && age < (isQuiet ? cachedWhenReadyMs : cachedWhenNotReadyMs)) return last.readiness;
      }
      const failing = outcomes.failingSince(last?.at ?? 0);
      if (failing !== undefined && inProgress === undefined) return fail(failing.error);
      inProgress ??= startWrite();
      return inProgress;
    },
    isWritable: () => last?.readiness.ready ?? false,
  };
}

function createValue(now: number, length: number): string {
  const text = String(now);
  if (length <= text.length) return text;
  // Some databases compress what repeats.
  return `${text} ${randomBytes(length).toString("hex")}`.slice(0, length);
}
