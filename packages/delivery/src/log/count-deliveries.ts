import { deliveryStates } from "@hookwright/domain";
import type { Entry, Key, Store } from "@hookwright/storage";
import { findFewRuns, listPages, orNone } from "@hookwright/storage/sorted-runs";
import { createPeriodCheck, endOf, firstIdOf, indexedFilters, matchesFilters } from "./log-filters.ts";
import { findNewQueues } from "./delivery-log.ts";
import type { LogFilters } from "./log-filters.ts";
import { parseDeliveryRow } from "../storage/codec.ts";
import type { DeliveryStatus } from "../storage/codec.ts";
import { keys } from "../storage/keys.ts";

export type StatusCounts = Readonly<Record<DeliveryStatus, number>>;

export interface CountQuery {
  readonly accountId: string;
  /** Without filters of attempts. */
  readonly filters: LogFilters;
  /** No status is counted further. */
  readonly maximum: number;
}

const maximumRuns = 500;

/**
 * Counts the deliveries of each status by the index. It reads only the rows at the ends of a period. A delivery whose first attempt ends
 * meanwhile may be counted twice.
 *
 * @returns `undefined` if the filters match too many combinations of webhook and project
 */
export function countDeliveries(store: Store, query: CountQuery): Promise<StatusCounts | undefined> {
  return orNone({ pending: 0, delivered: 0, failed: 0, cancelled: 0 }, () => countStatuses(store, query));
}

async function countStatuses(store: Store, query: CountQuery): Promise<StatusCounts | undefined> {
  const counts: Record<DeliveryStatus, number> = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
  const { accountId, filters, maximum } = query;
  const isSurelyInPeriod = createPeriodCheck(filters);
  for (const status of deliveryStates) {
    if ((filters.status ?? status) !== status) continue;
    const wanted = { ...filters, status };
    const dimensions = indexedFilters.map((name) => wanted[name]);
    const runs = await findFewRuns(store, keys.logs(accountId), dimensions, maximumRuns);
    if (runs === undefined) return undefined;
    counts[status] = await countRuns(runs, maximum, async (page) => {
      const ids = page.map(({ key }) => String(key.at(-1)));
      const unsure = ids.filter((id) => !isSurelyInPeriod(id));
      const rows = unsure.length === 0 ? [] : await store.getMany(unsure.map(toRowKey));
      return ids.length - unsure.length + rows.filter((row) => row !== undefined && matches(row)).length;
    });
  }
  if ((filters.status ?? "pending") !== "pending") return counts;
  const { project_id: projectId, kind } = filters;
  const queues = await findNewQueues(store, accountId, filters, maximumRuns);
  if (queues === undefined) return undefined;
  const everyMatches =
    !queues.areMixed && [projectId, kind, filters.since, filters.until].every((part) => part === undefined);
  counts.pending += await countRuns(queues.runs, maximum - counts.pending, async (page) =>
    everyMatches ? page.length : page.filter(({ value }) => matches(value)).length,
  );
  return counts;

  function toRowKey(id: string): Key {
    return keys.delivery(accountId, id);
  }

  function matches(row: string): boolean {
    return matchesFilters(parseDeliveryRow(row), filters);
  }

  /** Counts entries that end in the id of a delivery. */
  async function countRuns(
    runs: readonly Key[],
    limit: number,
    countPage: (page: readonly Entry[]) => Promise<number>,
  ): Promise<number> {
    const [first, end] = [firstIdOf(filters), endOf(filters, undefined)];
    let count = 0;
    for (const prefix of runs) {
      const pages = listPages(store, {
        prefix,
        after: first === "" ? undefined : [...prefix, first],
        before: end === undefined ? undefined : [...prefix, end],
      });
      for await (const page of pages) {
        count += await countPage(page);
        if (count >= limit) return limit;
      }
    }
    return count;
  }
}
