import { keys, parseDeliveryRow } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { Key, Store } from "@hookwright/storage";
import { findRuns } from "../store/index-runs.ts";
import { orNoneThatLong } from "../store/too-long-for-a-key.ts";
import type { DeliveryFilters } from "../use-cases.ts";

/** What one read of a part of the log brought, newest first. */
export interface LogWindow {
  readonly entries: readonly LogEntry[];
  /** Everything of this part from here on has been seen; undefined: all of it. */
  readonly seenTo: string | undefined;
}

export interface LogEntry {
  readonly id: string;
  /** Of a delivery never tried, which is its own entry; the others have rows elsewhere. */
  readonly row: DeliveryRow | undefined;
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
  return orNoneThatLong([], () => readQueues(query));
}

async function readQueues({ store, accountId, filters, before, limit }: LogQuery): Promise<LogWindow[]> {
  const runs = await findRuns(store, keys.freshDeliveries(accountId), [filters.event, filters.webhook_id]);
  return Promise.all(
    runs.map(async (run) => {
      const entries = await readRun(store, run, before, limit);
      const rows = entries.map(({ value }) => parseDeliveryRow(value));
      return {
        entries: rows.filter((row) => matches(row, filters)).map((row) => ({ id: row.id, row })),
        seenTo: entries.length === limit ? rows.at(-1)?.id : undefined,
      };
    }),
  );
}

/** Deliveries tried at least once: all filters are in the keys of the index. */
export function readTried(query: LogQuery): Promise<LogWindow[]> {
  return orNoneThatLong([], () => readLogs(query));
}

async function readLogs({ store, accountId, filters, before, limit }: LogQuery): Promise<LogWindow[]> {
  const { event, webhook_id: webhookId, project_id: projectId, status, kind } = filters;
  const runs = await findRuns(store, keys.logs(accountId), [event, webhookId, projectId, status, kind]);
  return Promise.all(
    runs.map(async (run) => {
      const entries = await readRun(store, run, before, limit);
      const ids = entries.map(({ key }) => String(key.at(-1)));
      return {
        entries: ids.map((id) => ({ id, row: undefined })),
        seenTo: entries.length === limit ? ids.at(-1) : undefined,
      };
    }),
  );
}

function readRun(store: Store, run: Key, before: string | undefined, limit: number) {
  return store.list({
    prefix: run,
    limit,
    reverse: true,
    ...(before === undefined ? {} : { before: [...run, before] as const }),
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
