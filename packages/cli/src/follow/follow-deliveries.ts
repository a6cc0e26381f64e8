import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import type { ApiClient } from "../api/api-client.ts";
import { createdAt, getDelivery, listDeliveries } from "../api/operations.ts";
import { createTokenBucket } from "../api/token-bucket.ts";
import { CliError } from "../cli-error.ts";

export interface DeliveryFollower {
  /** The deliveries that are new or have changed since the last call, oldest first. Waits to stay within the rate limit. */
  poll(): Promise<readonly Row[]>;
}

export interface FollowOptions {
  readonly api: ApiClient;
  readonly webhookId?: string | undefined;
  /** The first poll returns the deliveries back to this time. Milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

const pageSize = 100;
/** A poll reads older pages only if a whole page is new. */
const mostPages = 10;
const mostPendingPages = 3;
/** Older pending deliveries that one poll reads by id. */
const mostByIdInPoll = 2;
/** Retries end after 29 min 15 s and their jitter. An older delivery does not change. */
const longestDeliveryMs = 40 * 60_000;
const mostKnown = 20_000;
/** At most 30 requests in any minute. */
export const followLimit = { capacity: 6, refillMs: 2_500 } as const;

/**
 * Finds changes by reading the newest page, and pending deliveries that are no longer on it by id, in turn. The first
 * poll also reads the pending deliveries, and the pages back to `since`.
 */
export function createDeliveryFollower(options: FollowOptions): DeliveryFollower {
  const { api, webhookId, since, now, sleep } = options;
  const bucket = createTokenBucket({ ...followLimit, now });
  const startedAt = now();
  const shownSince = since ?? Math.floor(startedAt / 1_000) * 1_000;
  /** The state of each delivery that was seen. */
  const known = new Map<string, string>();
  /** Pending deliveries, and when they were created. The next one to read by id is the first. */
  const pending = new Map<string, number>();
  let isFirst = true;

  async function waitForToken(): Promise<void> {
    while (!bucket.take()) await sleep(bucket.msUntilToken());
  }

  /** Remembers the state of a delivery. True if it is new. */
  function remember(row: Row): boolean {
    const id = textOf(row, "id") ?? "";
    const state = `${textOf(row, "status") ?? ""} ${textOf(row, "attempts_made") ?? ""}`;
    if (known.get(id) === state) return false;
    known.set(id, state);
    if (textOf(row, "status") === "pending") pending.set(id, createdAt(row));
    else pending.delete(id);
    return true;
  }

  /** What is pending at the start is not shown, but its changes are. */
  async function rememberPending(): Promise<void> {
    const filters = { webhookId, since: startedAt - longestDeliveryMs, status: "pending" };
    let pages = 0;
    for await (const page of listDeliveries(api, filters, pageSize, waitForToken)) {
      for (const row of page) if (createdAt(row) < shownSince) remember(row);
      pages += 1;
      if (pages >= mostPendingPages) break;
    }
  }

  /** Returns what is new or changed, newest first, and the ids that were seen. */
  async function readPages(): Promise<{ readonly changed: readonly Row[]; readonly seen: Set<string> }> {
    const changed: Row[] = [];
    const seen = new Set<string>();
    let pages = 0;
    for await (const page of listDeliveries(api, { webhookId, since: shownSince }, pageSize, waitForToken)) {
      const isWholePageNew = page.every((row) => !known.has(textOf(row, "id") ?? ""));
      for (const row of page) {
        seen.add(textOf(row, "id") ?? "");
        if (remember(row)) changed.push(row);
      }
      pages += 1;
      if (!isWholePageNew || pages >= mostPages) break;
    }
    return { changed, seen };
  }

  /** Reads pending deliveries that were not on the pages. */
  async function readOlder(seen: ReadonlySet<string>): Promise<readonly Row[]> {
    const changed: Row[] = [];
    const older = [...pending.keys()].filter((id) => !seen.has(id)).slice(0, mostByIdInPoll);
    for (const id of older) {
      await waitForToken();
      const row = await findDelivery(api, id);
      const created = pending.get(id) ?? 0;
      pending.delete(id);
      if (row === undefined) continue;
      if (remember(row)) changed.push(row);
      // It was the least recently read. Now it is the last.
      else if (now() - created < longestDeliveryMs) pending.set(id, created);
    }
    return changed;
  }

  return {
    async poll() {
      if (isFirst) await rememberPending();
      isFirst = false;
      const { changed, seen } = await readPages();
      const older = await readOlder(seen);
      forgetOldest(known);
      return [...older, ...changed.toReversed()];
    },
  };
}

/** A delivery without its attempts. Undefined if the server has deleted it. */
async function findDelivery(api: ApiClient, id: string): Promise<Row | undefined> {
  try {
    const { attempts: _, ...row } = await getDelivery(api, id);
    return row;
  } catch (error) {
    if (error instanceof CliError && error.code === "resource_not_found") return undefined;
    throw error;
  }
}

function forgetOldest(known: Map<string, string>): void {
  for (const id of known.keys()) {
    if (known.size <= mostKnown) return;
    known.delete(id);
  }
}
