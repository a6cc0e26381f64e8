import type { Store } from "@hookwright/storage";
import {
  addToWindow,
  parseWindow,
  renderWindow,
  usedInWindow,
  waitForRoom,
  windowMs,
} from "../limits/request-window.ts";
import { keys } from "../rows/keys.ts";
import { tooManySignIns } from "./too-many-sign-ins.ts";

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
        if (usedInWindow(window) >= maximumFailures)
          throw tooManySignIns("for this address", waitForRoom(window, at, maximumFailures, 1));
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
