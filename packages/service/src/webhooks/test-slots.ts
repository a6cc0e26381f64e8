import { HookwrightError } from "@hookwright/domain";
import { createFairLimit } from "../limits/fair-limit.ts";
import type { LimitedUse } from "../limits/fair-limit.ts";

/** Slots for the tests in progress in this process. */
export interface TestSlots {
  /**
   * Runs a test in a slot. If none is free, the oldest test of the account with the most is aborted.
   *
   * @param test must end soon after its signal is aborted
   * @throws HookwrightError `rate_limited` if the account itself has the most, or another account needs the slot
   */
  run<Result>(accountId: string, test: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Resolves when no test is in progress. */
  ended(): Promise<void>;
}

/** A test occupies a request and a socket until the endpoint answers, at most ten seconds. */
export const maximumTestsOfAccount = 4;
export const maximumTestsOfProcess = 64;

/**
 * Without a free slot, a test does not wait, because slow endpoints would make the queue very long.
 *
 * @param options.maximumConnections that the process may hold. Tests use at most an eighth of them. @default no limit
 */
export function createTestSlots({
  maximumConnections = Number.POSITIVE_INFINITY,
}: { readonly maximumConnections?: number | undefined } = {}): TestSlots {
  const limit = createFairLimit({
    maximum: Math.max(1, Math.min(maximumTestsOfProcess, Math.floor(maximumConnections / 8))),
    maximumOfAccount: maximumTestsOfAccount,
  });
  const running = new Set<Promise<unknown>>();

  return {
    async run(accountId, test) {
      const displaced = new AbortController();
      const use: LimitedUse = {
        holders: [accountId],
        end: () => displaced.abort(tooMany("The slot of this test went to another account.")),
      };
      if (!limit.add(use))
        throw tooMany("Too many tests of this account wait for their answers. Try again when one has ended.");
      const { signal } = displaced;
      const done = test(signal);
      running.add(done);
      try {
        return await done;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        running.delete(done);
        limit.remove(use);
      }
    },
    async ended() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

function tooMany(message: string): HookwrightError {
  return new HookwrightError("rate_limited", message, { retryAfterSeconds: 1 });
}
