import { deliveryStates } from "@hookwright/domain";
import type { Entry, Key, Store } from "@hookwright/storage";
import { findFewRuns, listPages, orNone } from "@hookwright/storage/sorted-runs";
import { createPeriodCheck, endOf, firstIdOf, indexedFilters, matchesFilters } from "./log-filters.ts";
import { findNewQueues } from "./delivery-log.ts";
import type { LogFilters } from "./log-filters.ts";
import { outcomeOf, parseDeliveryRow } from "../storage/codec.ts";
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
 * Counts events by their outcome, or deliveries by their status, see {@link countsEvents}. It uses the index and reads only the rows at the ends of a period, and those of missed events. A delivery whose first attempt ends
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
  const areEvents = countsEvents(filters);
  const kind = areEvents ? "event" : filters.kind;
  const isSurelyInPeriod = createPeriodCheck(filters);
  const total = (): number => counts.pending + counts.delivered + counts.failed + counts.cancelled;
  for (const status of deliveryStates) {
    if ((filters.status ?? status) !== status) continue;
    const wanted = { ...filters, status, kind };
    const dimensions = indexedFilters.map((name) => wanted[name]);
    const runs = await findFewRuns(store, keys.logs(accountId), dimensions, maximumRuns);
    if (runs === undefined) return undefined;
    await visitRuns(runs, async (page) => {
      const unsure: string[] = [];
      for (const { key, value } of page) {
        const id = String(key.at(-1));
        if (!isSurelyInPeriod(id) || (areEvents && value.includes("m"))) unsure.push(id);
        else counts[areEvents && value.endsWith("d") ? "delivered" : status] += 1;
      }
      const rows = unsure.length === 0 ? [] : await store.getMany(unsure.map(toRowKey));
      for (const row of rows) if (row !== undefined) countRow(row);
    });
  }
  if ((filters.status ?? "pending") === "pending") {
    const queues = await findNewQueues(store, accountId, filters, maximumRuns);
    if (queues === undefined) return undefined;
    const { project_id: projectId, since, until } = filters;
    const everyMatches =
      !queues.areMixed && [projectId, kind, since, until].every((part) => part === undefined);
    await visitRuns(queues.runs, async (page) => {
      if (everyMatches) counts.pending += page.length;
      else for (const { value } of page) countRow(value);
    });
  }
  for (const status of deliveryStates)
    counts[status] = (filters.outcome ?? status) === status ? Math.min(counts[status], maximum) : 0;
  return counts;

  function toRowKey(id: string): Key {
    return keys.delivery(accountId, id);
  }

  function countRow(text: string): void {
    const row = parseDeliveryRow(text);
    const status = areEvents ? outcomeOf(row) : row.status;
    if (status !== undefined && matchesFilters(row, areEvents ? { ...filters, outcome: status } : filters))
      counts[status] += 1;
  }

  /** Visits entries that end in the id of a delivery, until enough is counted. */
  async function visitRuns(
    runs: readonly Key[],
    count: (page: readonly Entry[]) => Promise<void>,
  ): Promise<void> {
    const [first, end] = [firstIdOf(filters), endOf(filters, undefined)];
    const enough = total() + maximum;
    for (const prefix of runs) {
      const pages = listPages(store, {
        prefix,
        after: first === "" ? undefined : [...prefix, first],
        before: end === undefined ? undefined : [...prefix, end],
      });
      for await (const page of pages) {
        await count(page);
        if (total() >= enough) return;
      }
    }
  }
}

/** Whether events are counted by their outcome. With a filter of kind or status, deliveries are counted by their status. */
export function countsEvents({ kind, status, outcome }: LogFilters): boolean {
  return outcome !== undefined || (kind === undefined && status === undefined);
}
