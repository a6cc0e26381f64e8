import type { OnError } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { Store, StorageErrorReason } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import {
  addToWindow,
  mergeWindows,
  parseWindow,
  renderWindow,
  usedInWindow,
  msUntilFree,
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
   * Whole seconds until the full limit is available again, without further requests. If the request was refused, whole seconds until
   * one more is allowed, so that `RateLimit` and `Retry-After` agree.
   */
  readonly resetSeconds: number;
  /** Whole seconds until one more request is allowed, at least 1. 0 if this request was allowed. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Requests allowed in any 60 s, unless the account has a limit of its own. */
  readonly limit: number;
  /**
   * Counts one request of an account. Refused requests are not counted.
   *
   * @param ownLimit the limit of the account. @default `limit`, also for null
   */
  take(accountId: string, ownLimit?: number | null): Promise<RateDecision>;
  /** What is left now. Counts nothing. Requests that this process has counted in advance are left. */
  read(
    accountId: string,
    ownLimit?: number | null,
  ): Promise<Pick<RateDecision, "limit" | "remaining" | "resetSeconds">>;
  /** The refusal that `take` would return now. Undefined if one more request is allowed. Counts nothing. */
  findRefusal(accountId: string, ownLimit?: number | null): Promise<RateDecision | undefined>;
}

export interface RateLimiterOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Requests with the same name share a limit. @default "default" */
  readonly name?: string | undefined;
  /** @default 200 */
  readonly requestsPerMinute?: number | undefined;
  /** Receives the error if a count could not be stored. The count is then kept in memory. */
  readonly onError: OnError;
  /** Called for each request that is refused. */
  readonly onRefused?: (() => void) | undefined;
}

interface Waiting {
  readonly limit: number;
  readonly resolve: (decision: RateDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests that were counted in advance. This process may allow them without access to the store. */
interface Block {
  /** The limit of the account when the block was counted. */
  readonly limit: number;
  left: number;
  readonly until: number;
  /** Remaining requests of the limit after the block is used up. */
  readonly remaining: number;
  readonly resetAt: number;
}

/** The lifetime of a block. All its requests are counted at the end of this time. */
const blockMs = 500;
/** A block is a thousandth of the limit. With a limit below 1,000 each request is counted individually. */
const blocksInLimit = 1_000;
/** The maximum number of accounts in each in-memory map. */
const maximumAccounts = 10_000;

/**
 * Allows a fixed number of requests in any 60 seconds, over all processes that share the store (contract: Limits of requests). Commits check the stored
 * window, so two processes cannot both take the last request. Requests that arrive during a commit share the next commit.
 *
 * Limits of 1,000 or more are counted in blocks. Without them each request waits for a commit: 3 µs of CPU time more in memory, and a
 * flush of the disk on files. The unused rest of a block is lost; the limit is never exceeded.
 *
 * If the store is full or read-only, each process counts new requests in memory, so that clients can still read.
 */
export function createRateLimiter({
  store,
  now,
  name = "default",
  requestsPerMinute = 200,
  onError,
  onRefused = () => {},
}: RateLimiterOptions): RateLimiter {
  /** Waiting requests by account. An account has an entry while `serve` runs for it. */
  const queues = new Map<string, Waiting[]>();
  const blocks = new Map<string, Block>();
  /** Counts that could not be stored. */
  const unstored = new Map<string, RequestWindow>();

  /** The block that may still allow requests. */
  function findBlock(accountId: string, at: number, limit: number): Block | undefined {
    const block = blocks.get(accountId);
    if (block === undefined) return undefined;
    // The lower bound matters after the clock stepped back.
    const isCurrent = at < block.until && at >= block.until - blockMs;
    if (block.left > 0 && isCurrent && block.limit === limit) return block;
    blocks.delete(accountId);
    return undefined;
  }

  function takeFromBlock(accountId: string, limit: number): RateDecision | undefined {
    const at = now();
    const block = findBlock(accountId, at, limit);
    if (block === undefined) return undefined;
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

  /** Counts as many of the requests as the limit allows, and decides about each. */
  async function count(accountId: string, requests: number, limit: number): Promise<readonly RateDecision[]> {
    const blockSize = Math.floor(limit / blocksInLimit);
    const key = keys.requestWindow(accountId, name);
    for (;;) {
      const at = now();
      const { stored, own, window } = await readWindow(accountId, at);
      const used = usedInWindow(window);
      const taken = Math.max(0, Math.min(requests, limit - used));
      const inAdvance = Math.max(0, Math.min(blockSize, limit - used - taken));
      const countedAt = inAdvance > 0 ? at + blockMs : at;
      const after = addToWindow(window, countedAt, taken + inAdvance);
      if (taken > 0) {
        try {
          const { ok } = await store.commit(key[0], {
            checks: [{ key, value: stored }],
            mutations: [{ type: "set", key, value: renderWindow(after), expiresAt: at + windowMs * 2 }],
          });
          if (!ok) continue;
          unstored.delete(accountId);
        } catch (error) {
          if (!refusesWrites(error)) throw error;
          onError(error, { account_id: accountId, code: "rate_limit_not_stored" });
          keep(unstored, accountId, addToWindow(own, countedAt, taken + inAdvance));
        }
      }
      // Requests counted in advance leave the window later than `windowMs`. The reset must not exceed the window.
      const resetAfterMs = Math.min(windowMs, msUntilFree(after, at, limit, limit));
      const remaining = limit - used - taken - inAdvance;
      if (inAdvance > 0)
        keep(blocks, accountId, {
          limit,
          left: inAdvance,
          until: at + blockMs,
          remaining,
          resetAt: at + resetAfterMs,
        });
      const retryAfterSeconds = Math.max(1, toSeconds(msUntilFree(after, at, limit, 1)));
      return Array.from({ length: requests }, (_, index) => ({
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
      // Use the current block first. A second block would discard it.
      const batch = queue.splice(0).filter(({ limit, resolve }) => {
        const counted = takeFromBlock(accountId, limit);
        if (counted !== undefined) resolve(counted);
        return counted === undefined;
      });
      if (batch.length === 0) break;
      // The newest request has read the newest limit.
      const limit = batch.at(-1)?.limit ?? requestsPerMinute;
      try {
        const decisions = await count(accountId, batch.length, limit);
        decisions.forEach((decision, index) => {
          if (!decision.allowed) onRefused();
          batch[index]?.resolve(decision);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.delete(accountId);
  }

  return {
    limit: requestsPerMinute,
    async read(accountId, ownLimit) {
      const limit = ownLimit ?? requestsPerMinute;
      const at = now();
      const { window } = await readWindow(accountId, at);
      const remaining = Math.max(0, limit - usedInWindow(window));
      const resetAfterMs = Math.min(windowMs, msUntilFree(window, at, limit, limit));
      return {
        limit,
        remaining: remaining + (findBlock(accountId, at, limit)?.left ?? 0),
        resetSeconds: toSeconds(resetAfterMs),
      };
    },
    async findRefusal(accountId, ownLimit) {
      const limit = ownLimit ?? requestsPerMinute;
      const at = now();
      if (findBlock(accountId, at, limit) !== undefined) return undefined;
      const { window } = await readWindow(accountId, at);
      if (usedInWindow(window) < limit) return undefined;
      onRefused();
      const seconds = Math.max(1, toSeconds(msUntilFree(window, at, limit, 1)));
      return { allowed: false, limit, remaining: 0, resetSeconds: seconds, retryAfterSeconds: seconds };
    },
    async take(accountId, ownLimit) {
      const limit = ownLimit ?? requestsPerMinute;
      const counted = takeFromBlock(accountId, limit);
      if (counted !== undefined) return counted;
      return new Promise((resolve, reject) => {
        const queue = queues.get(accountId);
        if (queue !== undefined) {
          queue.push({ limit, resolve, reject });
          return;
        }
        const started = [{ limit, resolve, reject }];
        queues.set(accountId, started);
        void serve(accountId, started);
      });
    },
  };
}

/** The storage answers reads, but takes no writes. */
const reasonsToRefuseWrites: ReadonlySet<StorageErrorReason | undefined> = new Set([
  "disk_full",
  "disk_error",
  "read_only",
  "permission_denied",
  "read_only_replica",
  "out_of_memory",
  "not_enough_replicas",
  "snapshot_failed",
  "not_authorized",
] as const);

function refusesWrites(error: unknown): boolean {
  return error instanceof StorageError && (error.isFull || reasonsToRefuseWrites.has(error.reason));
}

/** Evicts the least recently used account if the map is full. Its requests then count only as far as they are stored. */
function keep<Kept>(byAccount: Map<string, Kept>, accountId: string, kept: Kept): void {
  byAccount.delete(accountId);
  for (const oldest of byAccount.keys()) {
    if (byAccount.size < maximumAccounts) break;
    byAccount.delete(oldest);
  }
  byAccount.set(accountId, kept);
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
