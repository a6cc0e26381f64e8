import type { Store } from "@hookwright/storage";
import { keys } from "../store/keys.ts";
import {
  addToWindow,
  parseWindow,
  renderWindow,
  usedInWindow,
  waitForRoom,
  windowMs,
} from "./request-window.ts";

export interface RateDecision {
  readonly allowed: boolean;
  /** Requests allowed in any 60 s. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the whole limit is there again, if nothing more is asked. */
  readonly resetSeconds: number;
  /** Whole seconds, at least 1, until one more request is allowed; 0 where it was. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of an account. A refused one is not counted. */
  take(accountId: string): Promise<RateDecision>;
}

export interface RateLimiterOptions {
  readonly store: Store;
  readonly now: () => number;
  /** @default 200 */
  readonly requestsPerMinute?: number;
}

interface Waiting {
  readonly resolve: (decision: RateDecision) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * At most so many requests in any 60 seconds, over all processes that share the store (contract §7). The window of an account
 * is one row, changed only by commits that check it: two processes can never both take the last place. Requests of one
 * process that come while a commit is under way share the next one.
 */
export function createRateLimiter({
  store,
  now,
  requestsPerMinute: limit = 200,
}: RateLimiterOptions): RateLimiter {
  /** Requests that wait for their answer, by account; an account is listed while it is being served. */
  const queues = new Map<string, Waiting[]>();

  /** How many of `asked` fit now; those are counted by the time it answers. */
  async function count(accountId: string, asked: number): Promise<readonly RateDecision[]> {
    const key = keys.requestWindow(accountId);
    for (;;) {
      const at = now();
      const stored = await store.get(key);
      const window = parseWindow(stored, at);
      const used = usedInWindow(window);
      const taken = Math.max(0, Math.min(asked, limit - used));
      const after = addToWindow(window, at, taken);
      if (taken > 0) {
        const { ok } = await store.commit(key[0], {
          checks: [{ key, value: stored }],
          mutations: [{ type: "set", key, value: renderWindow(after), expiresAt: at + windowMs * 2 }],
        });
        if (!ok) continue;
      }
      const resetSeconds = toSeconds(waitForRoom(after, at, limit, limit));
      const retryAfterSeconds = Math.max(1, toSeconds(waitForRoom(after, at, limit, 1)));
      return Array.from({ length: asked }, (_, index) => ({
        allowed: index < taken,
        limit,
        remaining: Math.max(0, limit - used - Math.min(index + 1, taken)),
        resetSeconds,
        retryAfterSeconds: index < taken ? 0 : retryAfterSeconds,
      }));
    }
  }

  async function serve(accountId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0);
      try {
        const decisions = await count(accountId, batch.length);
        decisions.forEach((decision, index) => batch[index]?.resolve(decision));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.delete(accountId);
  }

  return {
    take: (accountId) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(accountId);
        if (queue !== undefined) {
          queue.push({ resolve, reject });
          return;
        }
        const started = [{ resolve, reject }];
        queues.set(accountId, started);
        void serve(accountId, started);
      }),
  };
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
