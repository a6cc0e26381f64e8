import { deliveryStates } from "@hookwright/domain";
import type { Entry, Key, Store } from "@hookwright/storage";
import { countEntries, findFewRuns, listPages, orNone } from "@hookwright/storage/sorted-runs";
import { createPeriodCheck, endOfOthers, firstIdOf, indexedFilters, matchesFilters } from "./log-filters.ts";
import { findNewQueues } from "./delivery-log.ts";
import type { LogFilters } from "./log-filters.ts";
import { parseDeliveryRow } from "../storage/delivery-codec.ts";
import { outcomeOf } from "../storage/delivery-row.ts";
import { isAcceptedLater, isOfMissedEvent } from "../storage/log-value.ts";
import type { DeliveryStatus } from "../storage/delivery-row.ts";
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
/** Entries that are read in one go, as a multiple of the maximum. Many may match nothing. */
const readFactor = 5;
/** Entries of the index have a few bytes. Those of a queue are whole rows. */
const pageSizes = { index: 1_000, queue: 100 } as const;
const rowsAtOnce = 100;

type Counts = Record<DeliveryStatus, number>;

/**
 * Counts events by their outcome, or deliveries by their status, see {@link countsEvents}. It uses the index and reads only the rows at
 * the ends of a period, and those of missed events that were delivered. A delivery whose first attempt ends meanwhile may be counted
 * twice. Of each status, it reads at most five times `maximum` entries, and as many of later deliveries.
 *
 * @returns `undefined` if the filters match too many combinations of webhook and project
 */
export function countDeliveries(store: Store, query: CountQuery): Promise<StatusCounts | undefined> {
  return orNone(noneCounted(), () => countStatuses(store, query));
}

async function countStatuses(store: Store, query: CountQuery): Promise<StatusCounts | undefined> {
  const { filters, maximum } = query;
  const wanted = deliveryStates.filter((status) => mayMatch(filters, status));
  // New deliveries first: one whose first attempt ends meanwhile is counted twice, but never missed.
  const queued = wanted.includes("pending") ? await countQueued(store, query) : noneCounted();
  const logged = await Promise.all(wanted.map((status) => countLogged(store, query, status)));
  const counts = noneCounted();
  for (const counted of [queued, ...logged]) {
    if (counted === undefined) return undefined;
    for (const status of deliveryStates) counts[status] += counted[status];
  }
  for (const status of deliveryStates)
    counts[status] = (filters.outcome ?? status) === status ? Math.min(counts[status], maximum) : 0;
  return counts;
}

function noneCounted(): Counts {
  return { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
}

/** Whether deliveries of a status may match. An event that failed or was cancelled may have been delivered later. */
function mayMatch({ status, kind, outcome }: LogFilters, each: DeliveryStatus): boolean {
  if ((status ?? each) !== each || (outcome !== undefined && (kind ?? "event") !== "event")) return false;
  return (outcome ?? each) === each || (outcome === "delivered" && each !== "pending");
}

/** Counts the deliveries of one status that are in the log index. */
async function countLogged(
  store: Store,
  query: CountQuery,
  status: DeliveryStatus,
): Promise<Counts | undefined> {
  const { accountId, filters, maximum } = query;
  const areEvents = countsEvents(filters);
  const wanted = { ...filters, status, kind: areEvents ? "event" : filters.kind };
  const dimensions = indexedFilters.map((name) => wanted[name]);
  const runs = await findFewRuns(store, keys.logs(accountId), dimensions, maximumRuns);
  if (runs === undefined) return undefined;
  const counts = noneCounted();
  const hasPeriod = filters.since !== undefined || filters.until !== undefined;
  // A delivery that was accepted counts as delivered, also that of a missed event. So no value is read.
  if (!hasPeriod && (!areEvents || status === "delivered")) {
    for (const prefix of runs) {
      counts[status] += await countEntries(store, { prefix, limit: maximum - counts[status] });
      if (counts[status] >= maximum) break;
    }
    return counts;
  }
  const isSurelyInPeriod = createPeriodCheck(filters);
  const isEnough = (): boolean => counts[filters.outcome ?? status] >= maximum;
  const countRows = async (ids: readonly string[]): Promise<void> => {
    for (let first = 0; first < ids.length; first += rowsAtOnce) {
      const wantedKeys = ids.slice(first, first + rowsAtOnce).map((id) => keys.delivery(accountId, id));
      for (const text of await store.getMany(wantedKeys))
        if (text !== undefined) countRow(counts, text, filters);
    }
  };
  const isMissed = ({ value }: Entry): boolean => areEvents && isOfMissedEvent(value);
  const isDelivered = ({ value }: Entry): boolean => status === "delivered" || isAcceptedLater(value);
  const [since, until] = [firstIdOf(filters), endOfOthers(filters)];
  const pageSize = pageSizes.index;
  await visitRuns(store, { runs, since, until, pageSize, maximum }, async (page) => {
    const unsure: string[] = [];
    for (const entry of page) {
      const id = idOf(entry);
      if (isMissed(entry)) {
        if (isDelivered(entry)) unsure.push(id);
      } else if (isSurelyInPeriod(id)) counts[areEvents && isDelivered(entry) ? "delivered" : status] += 1;
      else unsure.push(id);
    }
    await countRows(unsure);
    return isEnough();
  });
  if (!areEvents || status === "pending" || until === undefined || isEnough()) return counts;
  // A missed event counts for the time at which it was missed. Its delivery was created later.
  await visitRuns(store, { runs, since: until, until: undefined, pageSize, maximum }, async (page) => {
    await countRows(page.filter((entry) => isMissed(entry) && isDelivered(entry)).map(idOf));
    return isEnough();
  });
  return counts;
}

function idOf({ key }: Entry): string {
  return String(key.at(-1));
}

/** Counts the deliveries without an attempt. */
async function countQueued(store: Store, query: CountQuery): Promise<Counts | undefined> {
  const { accountId, filters, maximum } = query;
  const queues = await findNewQueues(store, accountId, filters, maximumRuns);
  if (queues === undefined) return undefined;
  const counts = noneCounted();
  const { runs } = queues;
  const [since, until] = [firstIdOf(filters), endOfOthers(filters)];
  await visitRuns(store, { runs, since, until, pageSize: pageSizes.queue, maximum }, async (page) => {
    for (const { value } of page) countRow(counts, value, filters);
    return counts.pending >= maximum;
  });
  return counts;
}

function countRow(counts: Counts, text: string, filters: LogFilters): void {
  const row = parseDeliveryRow(text);
  const status = countsEvents(filters) ? outcomeOf(row) : row.status;
  if (
    status !== undefined &&
    matchesFilters(row, countsEvents(filters) ? { ...filters, outcome: status } : filters)
  )
    counts[status] += 1;
}

interface Visit {
  readonly runs: readonly Key[];
  /** Only entries from this id on. */
  readonly since: string;
  /** Only entries before this id. */
  readonly until: string | undefined;
  readonly pageSize: number;
  readonly maximum: number;
}

/** Visits entries that end in the id of a delivery, until enough is counted or read. */
async function visitRuns(
  store: Store,
  { runs, since, until, pageSize, maximum }: Visit,
  count: (page: readonly Entry[]) => Promise<boolean>,
): Promise<void> {
  let left = readFactor * maximum;
  for (const prefix of runs) {
    const pages = listPages(store, {
      prefix,
      after: since === "" ? undefined : [...prefix, since],
      before: until === undefined ? undefined : [...prefix, until],
      pageSize,
      maximum: left,
    });
    for await (const page of pages) {
      left -= page.length;
      if (await count(page)) return;
    }
    if (left <= 0) return;
  }
}

/** Whether events are counted by their outcome. With a filter of kind or status, deliveries are counted by their status. */
export function countsEvents({ kind, status, outcome }: LogFilters): boolean {
  return outcome !== undefined || (kind === undefined && status === undefined);
}
