import { setImmediate as nextRound } from "node:timers/promises";
import { keys, parseDeliveryRow } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { Entry, Key, Store } from "@hookwright/storage";
import { findFewRuns, findRuns } from "../store/index-runs.ts";
import { readNewestOfRuns } from "../store/newest-of-runs.ts";
import { orNoneOfSuchText } from "../store/none-of-such-text.ts";
import type { DeliveryFilters } from "../use-cases.ts";

/** What one read of a part of the log brought, newest first. */
export interface LogWindow {
  readonly entries: readonly LogEntry[];
  /** Everything of this part from here on has been seen; undefined: all of it. */
  readonly seenTo: string | undefined;
}

export interface LogEntry {
  readonly id: string;
  /** Where its entry is the row itself. */
  readonly row: DeliveryRow | undefined;
  /** One that was not may be in another place by now. */
  readonly isTried: boolean;
}

export interface LogQuery {
  readonly store: Store;
  readonly accountId: string;
  readonly filters: DeliveryFilters;
  /** Entries before this id alone. */
  readonly before: string | undefined;
  readonly limit: number;
}

/**
 * Deliveries never tried: the queue of each webhook is in order of creation. Site and kind are not in its keys, so a
 * window may hold nothing that is sought; it is never more than a window for all that.
 */
export async function readWaiting(query: LogQuery): Promise<LogWindow[]> {
  const { status } = query.filters;
  if (status !== undefined && status !== "pending") return [];
  return orNoneOfSuchText([], () => readQueues(query));
}

async function readQueues({ store, accountId, filters, before, limit }: LogQuery): Promise<LogWindow[]> {
  const { event, webhook_id: webhookId, project_id: projectId, kind } = filters;
  const runs = await findRuns(store, keys.freshDeliveries(accountId), [event, webhookId]);
  const isInKeys = projectId === undefined && kind === undefined;
  return Promise.all(
    (isInKeys ? [runs] : runs.map((run) => [run])).map(async (some) => {
      const rows = await readNewest(store, some, {
        before,
        limit,
        toRow: ({ value }) => parseDeliveryRow(value),
      });
      return {
        entries: rows
          .filter((row) => matches(row, filters))
          .map((row) => ({ id: row.id, row, isTried: false })),
        seenTo: rows.length === limit ? rows.at(-1)?.id : undefined,
      };
    }),
  );
}

/**
 * An account that creates and removes webhooks again and again has many combinations of webhook, site, status and kind in its log. With more
 * than this, the rows themselves are filtered.
 */
const mostSeeks = 2_000;
/** One request filters so many rows, in several reads, so that other requests have their turn. */
const mostRowsFiltered = 500;
const rowsFilteredTogether = 50;

/**
 * Deliveries that were tried, or cancelled: all filters are in the keys of the index. Without any the rows themselves are the list, which
 * are in order of creation.
 */
export function readTried(query: LogQuery): Promise<LogWindow[]> {
  return orNoneOfSuchText([], async () => [await readLogs(query)]);
}

async function readLogs(query: LogQuery): Promise<LogWindow> {
  const { store, accountId, filters, before, limit } = query;
  const { event, webhook_id: webhookId, project_id: projectId, status, kind } = filters;
  const dimensions = [event, webhookId, projectId, status, kind];
  const isWhole = dimensions.every((part) => part === undefined);
  const runs = isWhole
    ? [keys.deliveries(accountId)]
    : await findFewRuns(store, keys.logs(accountId), dimensions, mostSeeks);
  if (runs === undefined) return filterRows(query);
  const entries = await readNewest(store, runs, {
    before,
    limit,
    toRow: ({ key, value }): LogEntry => {
      return { id: String(key.at(-1)), row: isWhole ? parseDeliveryRow(value) : undefined, isTried: true };
    },
  });
  return { entries, seenTo: entries.length === limit ? entries.at(-1)?.id : undefined };
}

/** Reads the newest rows and filters them. A window may hold little or nothing that is sought: the next page goes on behind it. */
async function filterRows({ store, accountId, filters, before, limit }: LogQuery): Promise<LogWindow> {
  const prefix = keys.deliveries(accountId);
  const entries: LogEntry[] = [];
  let position: Key | undefined = before === undefined ? undefined : [...prefix, before];
  for (let read = 0; read < mostRowsFiltered && entries.length < limit; read += rowsFilteredTogether) {
    const texts = await store.list({ prefix, limit: rowsFilteredTogether, reverse: true, before: position });
    const rows = texts.map(({ value }) => parseDeliveryRow(value));
    for (const row of rows) if (matches(row, filters)) entries.push({ id: row.id, row, isTried: true });
    if (texts.length < rowsFilteredTogether) return { entries, seenTo: undefined };
    position = texts.at(-1)?.key;
    await nextRound();
  }
  return { entries, seenTo: String(position?.at(-1)) };
}

interface WindowQuery<Row> extends Pick<LogQuery, "before" | "limit"> {
  readonly toRow: (entry: Entry) => Row;
}

function readNewest<Row extends { readonly id: string }>(
  store: Store,
  runs: readonly Key[],
  { before, limit, toRow }: WindowQuery<Row>,
): Promise<Row[]> {
  return readNewestOfRuns(store, {
    runs,
    before: before === undefined ? undefined : [before],
    limit,
    toRow,
    // Ids are ordered by time.
    compare: (left, right) => (left.id < right.id ? 1 : left.id > right.id ? -1 : 0),
  });
}

export function matches(row: DeliveryRow, filters: DeliveryFilters): boolean {
  const { webhook_id: webhookId, event, status, project_id: projectId, kind } = filters;
  return (
    (webhookId ?? row.webhook_id) === row.webhook_id &&
    (event ?? row.event) === row.event &&
    (status ?? row.status) === row.status &&
    (projectId ?? row.project_id) === row.project_id &&
    (kind ?? row.kind) === row.kind
  );
}
