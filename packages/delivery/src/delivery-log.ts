import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Key, Store } from "@hookwright/storage";
import { findFewRuns, findRuns, orNone, readNewestOfRuns } from "@hookwright/storage/sorted-runs";
import { parseDeliveryRow } from "./storage/codec.ts";
import type { DeliveryRow } from "./storage/codec.ts";
import { keys } from "./storage/keys.ts";

/** In the order of the keys of the log index. */
const filterNames = ["event", "webhook_id", "project_id", "status", "kind"] as const;

/** Exact values. `undefined`: any. */
export type LogFilters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined };

export interface LogQuery {
  readonly accountId: string;
  readonly filters: LogFilters;
  /** Only deliveries before this id. */
  readonly before: string | undefined;
  readonly limit: number;
}

export interface LogPage {
  /** Newest first. */
  readonly deliveries: readonly DeliveryRow[];
  /** The next page is before this id. `undefined`: this is the last page. */
  readonly next: string | undefined;
}

/** What one read of a part of the log found, newest first. */
interface Found {
  readonly entries: readonly FoundEntry[];
  /** Every match from this id on was found. `undefined`: every match. */
  readonly completeTo: string | undefined;
}

interface FoundEntry {
  readonly id: string;
  /** `undefined`: only the index was read. */
  readonly row: DeliveryRow | undefined;
  /** It was in the queue of new deliveries. Its first attempt may have ended since. */
  readonly isNew: boolean;
}

/** With more combinations of filters than this, rows are filtered instead. */
const maximumRuns = 2_000;
/** Rows that one request filters, in several reads. */
const rowsFiltered = 500;
const rowsFilteredAtOnce = 50;

/**
 * Reads a page of the log, newest first. The cost depends on the number of combinations of webhook, project, status and kind, not on the
 * number of deliveries. A page may have fewer deliveries than `limit` although another page follows.
 */
export function listDeliveries(store: Store, query: LogQuery): Promise<LogPage> {
  return orNone({ deliveries: [], next: undefined }, () => readPage(store, query));
}

async function readPage(store: Store, query: LogQuery): Promise<LogPage> {
  const { accountId, limit } = query;
  const further = { ...query, limit: limit + 1 };
  // In this order: a delivery whose first attempt ends between the two reads is found twice, but never missed.
  const newOnes = await findNew(store, further);
  const logged = await findLogged(store, further);
  const [newTo, loggedTo] = [newOnes.completeTo ?? "", logged.completeTo ?? ""];
  const completeTo = newTo > loggedTo ? newTo : loggedTo;
  const entries = new Map<string, FoundEntry>();
  for (const entry of [...newOnes.entries, ...logged.entries])
    if (entry.id >= completeTo) entries.set(entry.id, entry);
  const sorted = [...entries.values()].sort(newestFirst);
  const shown = sorted.slice(0, limit);
  const next = sorted.length > limit ? shown.at(-1)?.id : completeTo || undefined;
  return { deliveries: await readRows(store, accountId, shown), next };
}

/** Deliveries without an attempt. The keys of their queues have neither project nor kind, so rows are filtered. */
async function findNew(store: Store, { accountId, filters, before, limit }: LogQuery): Promise<Found> {
  const { event, webhook_id: webhookId, project_id: projectId, kind, status = "pending" } = filters;
  if (status !== "pending") return { entries: [], completeTo: undefined };
  const runs = await findRuns(store, keys.newQueues(accountId), [event, webhookId]);
  const count = projectId === undefined && kind === undefined ? limit : Math.max(limit, rowsFiltered);
  const rows = await readNewest(store, {
    runs,
    before,
    limit: count,
    toRow: ({ value }) => parseDeliveryRow(value),
  });
  const entries = rows
    .filter((row) => matchesFilters(row, filters))
    .map((row) => ({ id: row.id, row, isNew: true }));
  return { entries, completeTo: rows.length === count ? rows.at(-1)?.id : undefined };
}

/** Deliveries with an attempt, and cancelled ones. The index has all filters in its keys. Without filters, the rows are the list. */
async function findLogged(store: Store, query: LogQuery): Promise<Found> {
  const { accountId, filters, before, limit } = query;
  const dimensions = filterNames.map((name) => filters[name]);
  const isFiltered = dimensions.some((part) => part !== undefined);
  const runs = isFiltered
    ? await findFewRuns(store, keys.logs(accountId), dimensions, maximumRuns)
    : [keys.deliveries(accountId)];
  if (runs === undefined) return filterRows(store, query);
  const toRow = ({ key, value }: Entry): FoundEntry => {
    return { id: idOf(key), row: isFiltered ? undefined : parseDeliveryRow(value), isNew: false };
  };
  const entries = await readNewest(store, { runs, before, limit, toRow });
  return { entries, completeTo: entries.length === limit ? entries.at(-1)?.id : undefined };
}

/** Reads the newest rows and filters them. */
async function filterRows(store: Store, { accountId, filters, before, limit }: LogQuery): Promise<Found> {
  const prefix = keys.deliveries(accountId);
  const entries: FoundEntry[] = [];
  let position: Key | undefined = before === undefined ? undefined : [...prefix, before];
  for (let read = 0; read < rowsFiltered && entries.length < limit; read += rowsFilteredAtOnce) {
    const page = await store.list({ prefix, limit: rowsFilteredAtOnce, reverse: true, before: position });
    const rows = page.map(({ value }) => parseDeliveryRow(value));
    for (const row of rows) if (matchesFilters(row, filters)) entries.push({ id: row.id, row, isNew: false });
    if (page.length < rowsFilteredAtOnce) return { entries, completeTo: undefined };
    position = page.at(-1)?.key;
    await nextTurn();
  }
  return { entries, completeTo: position && idOf(position) };
}

/** A delivery that was removed meanwhile is omitted. */
async function readRows(
  store: Store,
  accountId: string,
  entries: readonly FoundEntry[],
): Promise<DeliveryRow[]> {
  const wanted = entries.filter(({ row, isNew }) => row === undefined || isNew).map(({ id }) => id);
  const texts = await store.getMany(wanted.map((id) => keys.delivery(accountId, id)));
  const read = new Map(wanted.map((id, index) => [id, texts[index]]));
  return entries.flatMap(({ id, row }) => {
    const text = read.get(id);
    return text === undefined ? (row ?? []) : parseDeliveryRow(text);
  });
}

function readNewest<Row extends { readonly id: string }>(
  store: Store,
  query: Pick<LogQuery, "limit" | "before"> & { runs: readonly Key[]; toRow: (entry: Entry) => Row },
): Promise<Row[]> {
  const before = query.before === undefined ? undefined : [query.before];
  return readNewestOfRuns(store, { ...query, before, compare: newestFirst });
}

/** Ids are ordered by time. */
function newestFirst(left: { readonly id: string }, right: { readonly id: string }): number {
  return left.id < right.id ? 1 : left.id > right.id ? -1 : 0;
}

function idOf(key: Key): string {
  return String(key.at(-1));
}

export function matchesFilters(row: DeliveryRow, filters: LogFilters): boolean {
  return filterNames.every((name) => (filters[name] ?? row[name]) === row[name]);
}

/** Finds deliveries by their ids, in no order. Unknown ids are omitted. */
export async function findDeliveries(
  store: Store,
  accountId: string,
  ids: readonly string[],
): Promise<DeliveryRow[]> {
  const readLogged = () => store.getMany(ids.map((id) => keys.delivery(accountId, id)));
  const texts = await readLogged();
  const missing = ids.filter((_, index) => texts[index] === undefined);
  if (missing.length === 0) return texts.flatMap(parseFound);
  // A delivery without an attempt is only in the queue of its webhook.
  const queues = await findRuns(store, keys.newQueues(accountId), [undefined, undefined]);
  const queued = await store.getMany(queues.flatMap((queue) => missing.map((id) => [...queue, id] as const)));
  const found = new Map([...texts, ...queued].flatMap(parseFound).map((row) => [row.id, row]));
  // Its first attempt may have ended between the two reads.
  if (missing.some((id) => !found.has(id)))
    for (const row of (await readLogged()).flatMap(parseFound)) found.set(row.id, row);
  return [...found.values()];
}

function parseFound(text: string | undefined): DeliveryRow[] {
  return text === undefined ? [] : [parseDeliveryRow(text)];
}

/** The entry of a delivery in the log index. */
export function logKeyOf(accountId: string, delivery: DeliveryRow): Key {
  const { id, event, webhook_id: webhookId, project_id: projectId, status, kind } = delivery;
  return keys.log(accountId, { event, webhookId, projectId, status, kind, deliveryId: id });
}
