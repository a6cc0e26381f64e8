import type { ServiceContext } from "../context.ts";
import {
  addToWindow,
  msUntilFree,
  parseWindow,
  removeFromWindow,
  renderWindow,
  usedInWindow,
  windowMs,
} from "../limits/request-window.ts";
import type { RequestWindow } from "../limits/request-window.ts";
import { keys } from "../rows/keys.ts";
import { tooManyFailures } from "./too-many-sign-ins.ts";

export interface SignInThrottle {
  /** @throws HookwrightError `rate_limited` after 5 failures from the network for the address in a minute */
  check(email: string, network: string): Promise<void>;
  /**
   * Counts an attempt before its password is checked, so that parallel guesses cannot overtake the count.
   *
   * @returns a function that removes only this attempt from the count, because its password was correct
   * @throws HookwrightError `rate_limited`
   */
  take(email: string, network: string): Promise<() => Promise<void>>;
}

const maximumFailures = 5;

/**
 * Limits the failed sign-ins from one network for one e-mail address, over all processes that share the store (contract: The console). Failures
 * from other networks do not count, so nobody can lock out another person's address.
 */
export function createSignInThrottle({ store, now }: Pick<ServiceContext, "store" | "now">): SignInThrottle {
  /** Changes the window of an address and network. Retries on conflict. */
  async function change<Result>(
    email: string,
    network: string,
    toChange: (
      window: RequestWindow,
      at: number,
    ) => { readonly window: RequestWindow; readonly result: Result },
  ): Promise<Result> {
    const key = keys.signInWindow(email, network);
    for (;;) {
      const at = now();
      const stored = await store.get(key);
      const { window, result } = toChange(parseWindow(stored, at), at);
      const { ok } = await store.commit(key[0], {
        checks: [{ key, value: stored }],
        mutations: [
          window.length === 0
            ? { type: "delete", key }
            : { type: "set", key, value: renderWindow(window), expiresAt: at + windowMs * 2 },
        ],
      });
      if (ok) return result;
    }
  }

  return {
    async check(email, network) {
      const at = now();
      expectBelowLimit(parseWindow(await store.get(keys.signInWindow(email, network)), at), at);
    },
    async take(email, network) {
      const countedAt = await change(email, network, (before, at) => {
        expectBelowLimit(before, at);
        const window = addToWindow(before, at, 1);
        return { window, result: window.at(-1)?.lastAt ?? at };
      });
      return () =>
        change(email, network, (before) => ({
          window: removeFromWindow(before, countedAt),
          result: undefined,
        }));
    },
  };
}

function expectBelowLimit(window: RequestWindow, at: number): void {
  if (usedInWindow(window) >= maximumFailures)
    throw tooManyFailures(
      "failed sign-ins for this address from your network",
      msUntilFree(window, at, maximumFailures, 1),
    );
}
