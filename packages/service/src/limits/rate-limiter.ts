import type { OnError } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import {
  addToWindow,
  mergeWindows,
  parseWindow,
  renderWindow,
  usedInWindow,
  waitForRoom,
  windowMs,
  withinWindow,
} from "./request-window.ts";
import type { RequestWindow } from "./request-window.ts";

export interface RateDecision {
  readonly allowed: boolean;
  /** Requests allowed in any 60 s. */
  readonly limit: number;
  readonly remaining: number;
  /**
   * Whole seconds until the whole limit is there again, if nothing more is asked. Where the request was refused, until one more is
   * allowed: `RateLimit` and `Retry-After` name the same moment.
   */
  readonly resetSeconds: number;
  /** Whole seconds, at least 1, until one more request is allowed; 0 where it was. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Requests allowed in any 60 s. */
  readonly limit: number;
  /** Counts one request of an account. A refused one is not counted. */
  take(accountId: string): Promise<RateDecision>;
  /** The refusal that `take` would answer now. Undefined if there is room for one more request. Counts nothing. */
  findRefusal(accountId: string): Promise<RateDecision | undefined>;
}

export interface RateLimiterOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Requests under one name share a limit. Each name has its own. @default "default" */
  readonly name?: string | undefined;
  /** @default 200 */
  readonly requestsPerMinute?: number | undefined;
  /** Told of a count that could not be stored, and is kept in memory. */
  readonly onError: OnError;
}

interface Waiting {
  readonly resolve: (decision: RateDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests counted ahead of time, which this process may let through without asking the store. */
interface Block {
  left: number;
  readonly until: number;
  /** Of the whole limit, once the block is used up. */
  readonly remaining: number;
  readonly resetAt: number;
}

/** How long a block may be used. It is counted as if all of it came at the end of this time. */
const blockMs = 500;
/** A thousandth of the limit: up to 999 a minute every request is counted by itself. */
const blocksInLimit = 1_000;
/** What is kept in memory is kept of so many accounts. */
const mostKept = 10_000;

/**
 * At most so many requests in any 60 seconds, over all processes that share the store (contract §7). The window of an account
 * is one row, changed only by commits that check it: two processes can never both take the last place. Requests of one
 * process that come while a commit is under way share the next one.
 *
 * Limits of a thousand and more are counted in blocks, so that a busy account does not cost a durable commit for each
 * request. What is left of a block is lost, at most a thousandth of the limit; it is never exceeded.
 *
 * A store that is full does not make reading through the API impossible: as long as that lasts each process counts what it
 * lets through by itself, on top of what is stored.
 */
export function createRateLimiter({
  store,
  now,
  name = "default",
  requestsPerMinute: limit = 200,
  onError,
}: RateLimiterOptions): RateLimiter {
  /** Requests that wait for their answer, by account; an account is listed while it is being served. */
  const queues = new Map<string, Waiting[]>();
  const blocks = new Map<string, Block>();
  /** What the store did not take. */
  const unstored = new Map<string, RequestWindow>();
  const blockSize = Math.floor(limit / blocksInLimit);

  function takeFromBlock(accountId: string): RateDecision | undefined {
    const block = blocks.get(accountId);
    if (block === undefined) return undefined;
    const at = now();
    const isOfNow = at < block.until && at >= block.until - blockMs;
    if (block.left === 0 || !isOfNow) {
      blocks.delete(accountId);
      return undefined;
    }
    block.left -= 1;
    return {
      allowed: true,
      limit,
      remaining: block.remaining + block.left,
      resetSeconds: toSeconds(block.resetAt - at),
      retryAfterSeconds: 0,
    };
  }

  async function readWindow(accountId: string, at: number) {
    const stored = await store.get(keys.requestWindow(accountId, name));
    const own = withinWindow(unstored.get(accountId) ?? [], at);
    return { stored, own, window: mergeWindows(parseWindow(stored, at), own) };
  }

  /** How many of `asked` fit now; those are counted by the time it answers. */
  async function count(accountId: string, asked: number): Promise<readonly RateDecision[]> {
    const key = keys.requestWindow(accountId, name);
    for (;;) {
      const at = now();
      const { stored, own, window } = await readWindow(accountId, at);
      const used = usedInWindow(window);
      const taken = Math.max(0, Math.min(asked, limit - used));
      const ahead = Math.max(0, Math.min(blockSize, limit - used - taken));
      const countedAt = ahead > 0 ? at + blockMs : at;
      const after = addToWindow(window, countedAt, taken + ahead);
      if (taken > 0) {
        try {
          const { ok } = await store.commit(key[0], {
            checks: [{ key, value: stored }],
            mutations: [{ type: "set", key, value: renderWindow(after), expiresAt: at + windowMs * 2 }],
          });
          if (!ok) continue;
          unstored.delete(accountId);
        } catch (error) {
          if (!(error instanceof StorageError) || !error.isFull) throw error;
          onError(error, { account_id: accountId, code: "rate_limit_not_stored" });
          keep(unstored, accountId, addToWindow(own, countedAt, taken + ahead));
        }
      }
      // What is counted ahead counts a moment longer: no policy names a window and a reset behind it.
      const resetAfterMs = Math.min(windowMs, waitForRoom(after, at, limit, limit));
      const remaining = limit - used - taken - ahead;
      if (ahead > 0)
        keep(blocks, accountId, { left: ahead, until: at + blockMs, remaining, resetAt: at + resetAfterMs });
      const retryAfterSeconds = Math.max(1, toSeconds(waitForRoom(after, at, limit, 1)));
      return Array.from({ length: asked }, (_, index) => ({
        allowed: index < taken,
        limit,
        remaining: Math.max(0, limit - used - Math.min(index + 1, taken)),
        resetSeconds: index < taken ? toSeconds(resetAfterMs) : retryAfterSeconds,
        retryAfterSeconds: index < taken ? 0 : retryAfterSeconds,
      }));
    }
  }

  async function serve(accountId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      // What was counted ahead meanwhile is theirs: a second block would throw the first away.
      const batch = queue.splice(0).filter(({ resolve }) => {
        const counted = takeFromBlock(accountId);
        if (counted !== undefined) resolve(counted);
        return counted === undefined;
      });
      if (batch.length === 0) break;
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
    limit,
    async findRefusal(accountId) {
      if ((blocks.get(accountId)?.left ?? 0) > 0) return undefined;
      const at = now();
      const { window } = await readWindow(accountId, at);
      if (usedInWindow(window) < limit) return undefined;
      const seconds = Math.max(1, toSeconds(waitForRoom(window, at, limit, 1)));
      return { allowed: false, limit, remaining: 0, resetSeconds: seconds, retryAfterSeconds: seconds };
    },
    async take(accountId) {
      const counted = takeFromBlock(accountId);
      if (counted !== undefined) return counted;
      return new Promise((resolve, reject) => {
        const queue = queues.get(accountId);
        if (queue !== undefined) {
          queue.push({ resolve, reject });
          return;
        }
        const started = [{ resolve, reject }];
        queues.set(accountId, started);
        void serve(accountId, started);
      });
    },
  };
}

/** Who came longest ago is given up: that account is counted from what is stored. */
function keep<Kept>(byAccount: Map<string, Kept>, accountId: string, kept: Kept): void {
  byAccount.delete(accountId);
  for (const oldest of byAccount.keys()) {
    if (byAccount.size < mostKept) break;
    byAccount.delete(oldest);
  }
  byAccount.set(accountId, kept);
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
