import { HookwrightError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../store/keys.ts";
import {
  addToWindow,
  parseWindow,
  renderWindow,
  usedInWindow,
  waitForRoom,
  windowMs,
} from "../limits/request-window.ts";

export interface SignInThrottle {
  /**
   * Counts a try for an address, before its password is looked at: guesses that come together cannot overtake the count.
   *
   * @throws HookwrightError `rate_limited` after 5 failures in a minute
   */
  take(email: string): Promise<void>;
  /** The password was right: earlier failures are forgotten. */
  clear(email: string): Promise<void>;
}

const maximumFailures = 5;

/** Slows guessing down, over all processes that share the store (contract §7). */
export function createSignInThrottle({
  store,
  now,
}: {
  readonly store: Store;
  readonly now: () => number;
}): SignInThrottle {
  return {
    async take(email) {
      const key = keys.signInWindow(email);
      for (;;) {
        const at = now();
        const stored = await store.get(key);
        const window = parseWindow(stored, at);
        if (usedInWindow(window) >= maximumFailures) {
          const seconds = Math.max(1, Math.ceil(waitForRoom(window, at, maximumFailures, 1) / 1_000));
          throw new HookwrightError(
            "rate_limited",
            `Too many failed sign-ins for this address. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
            { retryAfterSeconds: seconds },
          );
        }
        const value = renderWindow(addToWindow(window, at, 1));
        const { ok } = await store.commit(key[0], {
          checks: [{ key, value: stored }],
          mutations: [{ type: "set", key, value, expiresAt: at + windowMs * 2 }],
        });
        if (ok) return;
      }
    },
    async clear(email) {
      const key = keys.signInWindow(email);
      await store.commit(key[0], { mutations: [{ type: "delete", key }] });
    },
  };
}
