import { HookwrightError } from "@hookwright/domain";

/** Places for tests under way in this process. */
export interface TestPlaces {
  /**
   * Carries a test out in a place of its own.
   *
   * @throws HookwrightError `rate_limited` where none is free
   */
  hold<Result>(accountId: string, test: () => Promise<Result>): Promise<Result>;
  /** Resolves when no test is under way. */
  ended(): Promise<void>;
}

/** A test holds a request and a socket for as long as a receiver hangs, ten seconds: who wants to try things out needs a few. */
const ofAccount = 4;
const ofProcess = 64;

/** Whoever finds no place is refused and does not wait: a line of tests would be ten seconds long for each that hangs. */
export function createTestPlaces(): TestPlaces {
  /** Tests under way, by account; accounts without any are not kept. */
  const held = new Map<string, number>();
  let all = 0;
  const whenEnded: (() => void)[] = [];

  return {
    async hold(accountId, test) {
      const own = held.get(accountId) ?? 0;
      if (own >= ofAccount) {
        throw tooMany(
          `${ofAccount} tests of this account wait for their answers. Try again when one has ended.`,
        );
      }
      if (all >= ofProcess)
        throw tooMany("Too many tests are under way at this moment. Try again in a second.");
      held.set(accountId, own + 1);
      all += 1;
      try {
        return await test();
      } finally {
        all -= 1;
        const left = (held.get(accountId) ?? 1) - 1;
        if (left === 0) held.delete(accountId);
        else held.set(accountId, left);
        if (all === 0) for (const resolve of whenEnded.splice(0)) resolve();
      }
    },
    ended() {
      if (all === 0) return Promise.resolve();
      return new Promise((resolve) => whenEnded.push(resolve));
    },
  };
}

function tooMany(message: string): HookwrightError {
  return new HookwrightError("rate_limited", message, { retryAfterSeconds: 1 });
}
