import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import type { ApiClient } from "../api/api-client.ts";
import { createdAt, listDeliveries } from "../api/operations.ts";

export interface DeliveryFollower {
  /** The deliveries that are new or have changed since the last call, oldest first. */
  poll(): Promise<readonly Row[]>;
}

export interface FollowOptions {
  readonly api: ApiClient;
  readonly webhookId?: string | undefined;
  /** The first poll returns the deliveries back to this time. Milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Without `since`, the first poll returns nothing that is older than this. */
  readonly startedAt: number;
}

const pageSize = 100;
/** Each poll reads at most this many pages, to stay within the rate limit. */
const mostPages = 10;
/** Retries end after 29 min 15 s and their jitter. An older delivery does not change. */
const longestDeliveryMs = 40 * 60_000;

/**
 * Finds changes by reading the newest pages. A poll stops at the first page where everything is known and nothing older
 * is pending.
 */
export function createDeliveryFollower({
  api,
  webhookId,
  since,
  startedAt,
}: FollowOptions): DeliveryFollower {
  /** The state of each delivery that was seen. */
  const known = new Map<string, string>();
  const pending = new Map<string, number>();
  const shownSince = since ?? Math.floor(startedAt / 1_000) * 1_000;
  const oldest = Math.min(shownSince, startedAt - longestDeliveryMs);
  let isFirst = true;

  return {
    async poll() {
      const changed: Row[] = [];
      let pages = 0;
      for await (const page of listDeliveries(api, { webhookId, since: oldest }, pageSize)) {
        let isAllKnown = true;
        for (const row of page) {
          const id = textOf(row, "id") ?? "";
          const state = `${textOf(row, "status") ?? ""} ${textOf(row, "attempts_made") ?? ""}`;
          if (known.get(id) === state) continue;
          isAllKnown = false;
          // Older deliveries count as seen at the first poll. Later they are shown when they change.
          if (!isFirst || createdAt(row) >= shownSince) changed.push(row);
          known.set(id, state);
          if (textOf(row, "status") === "pending") pending.set(id, createdAt(row));
          else pending.delete(id);
        }
        pages += 1;
        const last = page.at(-1);
        const reached = last === undefined ? 0 : createdAt(last);
        const isOlderPending = [...pending.values()].some((created) => created <= reached);
        if ((isAllKnown && !isOlderPending) || pages >= mostPages) break;
      }
      isFirst = false;
      forgetOldest(known);
      return changed.toReversed();
    },
  };
}

/** More than one poll can read. */
const mostKnown = 20_000;

function forgetOldest(known: Map<string, string>): void {
  for (const id of known.keys()) {
    if (known.size <= mostKnown) return;
    known.delete(id);
  }
}
