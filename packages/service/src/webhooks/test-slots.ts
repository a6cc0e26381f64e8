import { HookwrightError } from "@hookwright/domain";

/** Slots for the tests in progress in this process. */
export interface TestSlots {
  /**
   * Runs a test in a slot.
   *
   * @throws HookwrightError `rate_limited` if no slot is free
   */
  run<Result>(accountId: string, test: () => Promise<Result>): Promise<Result>;
  /** Resolves when no test is in progress. */
  ended(): Promise<void>;
}

/** A test occupies a request and a socket until the endpoint answers, at most ten seconds. */
const maximumOfAccount = 4;
const maximumOfProcess = 64;

/** Without a free slot, a test is refused. It does not wait, because slow endpoints would make the queue very long. */
export function createTestSlots(): TestSlots {
  /** Tests in progress, by account. Accounts without tests have no entry. */
  const running = new Map<string, number>();
  let total = 0;
  const listeners: (() => void)[] = [];

  return {
    async run(accountId, test) {
      const own = running.get(accountId) ?? 0;
      if (own >= maximumOfAccount) {
        throw tooMany(
          `${maximumOfAccount} tests of this account wait for their answers. Try again when one has ended.`,
        );
      }
      if (total >= maximumOfProcess)
        throw tooMany("Too many tests are under way at this moment. Try again in a second.");
      running.set(accountId, own + 1);
      total += 1;
      try {
        return await test();
      } finally {
        total -= 1;
        const left = (running.get(accountId) ?? 1) - 1;
        if (left === 0) running.delete(accountId);
        else running.set(accountId, left);
        if (total === 0) for (const resolve of listeners.splice(0)) resolve();
      }
    },
    ended() {
      if (total === 0) return Promise.resolve();
      return new Promise((resolve) => listeners.push(resolve));
    },
  };
}

function tooMany(message: string): HookwrightError {
  return new HookwrightError("rate_limited", message, { retryAfterSeconds: 1 });
}
