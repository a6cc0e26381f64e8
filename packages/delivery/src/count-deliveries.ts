import { setImmediate as nextTurn } from "node:timers/promises";
import { deliveryStates } from "@hookwright/domain";
import type { Entry, Key, Store } from "@hookwright/storage";
import { findFewRuns, orNone } from "@hookwright/storage/sorted-runs";
import { indexedFilters, matchesFilters } from "./log-filters.ts";
import type { LogFilters } from "./log-filters.ts";
import { parseDeliveryRow } from "./storage/codec.ts";
import type { DeliveryStatus } from "./storage/codec.ts";
import { keys } from "./storage/keys.ts";

export type StatusCounts = Readonly<Record<DeliveryStatus, number>>;

export interface CountQuery {
  readonly accountId: string;
  /** Only filters of the index. */
  readonly filters: LogFilters;
  /** No status is counted further. */
  readonly maximum: number;
}

const maximumRuns = 500;
const entriesAtOnce = 1_000;

/**
 * Counts the deliveries of each status by the index, without reading their rows. A delivery whose first attempt ends meanwhile may be
 * counted twice.
 *
 * @returns `undefined` if the filters match too many combinations of webhook and project
 */
export function countDeliveries(store: Store, query: CountQuery): Promise<StatusCounts | undefined> {
  return orNone({ pending: 0, delivered: 0, failed: 0, cancelled: 0 }, () => countStatuses(store, query));
}

async function countStatuses(store: Store, query: CountQuery): Promise<StatusCounts | undefined> {
  const counts: Record<DeliveryStatus, number> = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
  const { accountId, filters, maximum } = query;
  for (const status of deliveryStates) {
    if ((filters.status ?? status) !== status) continue;
    const wanted = { ...filters, status };
    const dimensions = indexedFilters.map((name) => wanted[name]);
    const runs = await findFewRuns(store, keys.logs(accountId), dimensions, maximumRuns);
    if (runs === undefined) return undefined;
    counts[status] = await countEntries(store, runs, { maximum });
  }
  if ((filters.status ?? "pending") !== "pending") return counts;
  const { event, webhook_id: webhookId } = filters;
  const queues = await findFewRuns(store, keys.newQueues(accountId), [event, webhookId], maximumRuns);
  if (queues === undefined) return undefined;
  const matches = ({ value }: Entry): boolean => matchesFilters(parseDeliveryRow(value), filters);
  counts.pending += await countEntries(store, queues, { maximum: maximum - counts.pending, matches });
  return counts;
}

async function countEntries(
  store: Store,
  runs: readonly Key[],
  { maximum, matches }: { readonly maximum: number; readonly matches?: (entry: Entry) => boolean },
): Promise<number> {
  let read = 0;
  let count = 0;
  for (const prefix of runs) {
    for (let after: Key | undefined; read < maximum;) {
      const limit = Math.min(entriesAtOnce, maximum - read);
      const entries = await store.list({ prefix, after, limit });
      read += entries.length;
      count += matches === undefined ? entries.length : entries.filter(matches).length;
      await nextTurn();
      if (entries.length < limit) break;
      after = entries.at(-1)?.key;
    }
  }
  return count;
}
