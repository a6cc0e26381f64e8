import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Key, Store } from "@hookwright/storage";
import { findFewRuns, findRuns, orNone, readNewestOfRuns } from "@hookwright/storage/sorted-runs";
import {
  endOf,
  endOfOthers,
  firstIdOf,
  indexedFilters,
  matchesFilters,
  needsAttempts,
  needsRows,
  withOutcome,
} from "./log-filters.ts";
import type { LogFilters } from "./log-filters.ts";
import { parseDeliveryRow } from "../storage/delivery-codec.ts";
import { isOfMissedEvent } from "../storage/log-value.ts";
import type { DeliveryRow } from "../storage/delivery-row.ts";
import type { WebhookRow } from "../storage/webhook-row.ts";
import { keys } from "../storage/keys.ts";
import { listAddressesOfSeveral } from "../webhooks/webhook-store.ts";

/** What finds the deliveries of a webhook. */
export type LoggedWebhook = Pick<WebhookRow, "id" | "event" | "events">;

/** Called with the id of a row that cannot be read, and its error. The row is skipped. */
export type OnUnreadable = (id: string, cause: unknown) => void;

export interface LogQuery {
  readonly accountId: string;
  readonly filters: LogFilters;
  /** Only deliveries of these webhooks. @default all */
  readonly webhooks?: readonly LoggedWebhook[] | undefined;
  /** Only deliveries before this id. */
  readonly before: string | undefined;
  readonly limit: number;
  /** Rows that are read if the index does not have a filter. @default 500 */
  readonly maximumScanned?: number | undefined;
  /** @default a row that cannot be read throws */
  readonly onUnreadable?: OnUnreadable | undefined;
}

/** Filters of the index, and the webhook and event of each of its parts that is read. */
type Part = Pick<LogFilters, (typeof indexedFilters)[number]>;

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
/** The same, if rows are read anyway. */
const maximumRunsOfRows = 50;
/** Rows that one request filters, in several reads. */
const rowsFiltered = 500;
const rowsFilteredAtOnce = 50;
/** Entries of the index that one request reads to find deliveries of missed events, in several reads. */
const maximumEntries = 10_000;
const entriesAtOnce = 1_000;

/**
 * Reads a page of the log, newest first. The cost depends on the number of combinations of webhook, project, status and kind, not on the
 * number of deliveries. A page may have fewer deliveries than `limit` although another page follows.
 */
export function listDeliveries(store: Store, query: LogQuery): Promise<LogPage> {
  const filters = withOutcome(query.filters);
  return orNone({ deliveries: [], next: undefined }, () => readPage(store, { ...query, filters }));
}

async function readPage(store: Store, query: LogQuery): Promise<LogPage> {
  const { limit, filters } = query;
  const further = { ...query, limit: limit + 1, before: endOf(filters, query.before) };
  // In this order: a delivery whose first attempt ends between the two reads is found twice, but never missed.
  const newOnes = await findNew(store, further);
  const logged = await findLogged(store, further);
  const [newTo, loggedTo] = [newOnes.completeTo ?? "", logged.completeTo ?? ""];
  const furthest = newTo > loggedTo ? newTo : loggedTo;
  const completeTo = furthest < firstIdOf(filters) ? "" : furthest;
  const entries = new Map<string, FoundEntry>();
  for (const entry of [...newOnes.entries, ...logged.entries])
    if (entry.id >= completeTo) entries.set(entry.id, entry);
  const sorted = [...entries.values()].sort(newestFirst);
  const shown = sorted.slice(0, limit);
  const next = sorted.length > limit ? shown.at(-1)?.id : completeTo || undefined;
  return { deliveries: await readRows(store, query, shown), next };
}

/** Deliveries without an attempt. The keys of their queues have neither project nor kind, so rows are filtered. */
async function findNew(store: Store, query: LogQuery): Promise<Found> {
  const { filters, before, limit, maximumScanned = rowsFiltered, onUnreadable } = query;
  const { project_id: projectId, kind, status = "pending", outcome = "pending" } = filters;
  if (status !== "pending" || outcome !== "pending" || needsAttempts(filters))
    return { entries: [], completeTo: undefined };
  const { runs, areMixed } = await findQueues(store, query);
  const isFiltered = projectId !== undefined || kind !== undefined || areMixed || needsRows(filters);
  const count = isFiltered ? Math.max(limit, maximumScanned) : limit;
  const rows = await readNewest(store, {
    runs,
    before,
    limit: count,
    toRow: ({ key, value }) => ({ id: idOf(key), row: parseRow(idOf(key), value, onUnreadable) }),
  });
  const entries = rows.flatMap(({ id, row }) =>
    row !== undefined && matchesFilters(row, filters) ? [{ id, row, isNew: true }] : [],
  );
  return { entries, completeTo: rows.length === count ? rows.at(-1)?.id : undefined };
}

/** Deliveries with an attempt, and cancelled ones. The index has all filters in its keys. Without filters, the rows are the list. */
async function findLogged(store: Store, query: LogQuery): Promise<Found> {
  const { accountId, filters, webhooks, before, limit, onUnreadable } = query;
  const isFiltered = webhooks !== undefined || indexedFilters.some((name) => filters[name] !== undefined);
  const runs = isFiltered ? await findIndexRuns(store, query) : [keys.deliveries(accountId)];
  if (runs === undefined) return filterRows(store, query, [keys.deliveries(accountId)]);
  if (needsRows(filters)) return filterRows(store, query, runs);
  const toRow = ({ key, value }: Entry): FoundEntry => {
    return { id: idOf(key), row: isFiltered ? undefined : parseOnce(value, onUnreadable), isNew: false };
  };
  const entries = await readNewest(store, { runs, before, limit, toRow });
  return { entries, completeTo: entries.length === limit ? entries.at(-1)?.id : undefined };
}

/** The queues of new deliveries that may have matches, and whether they may also have deliveries of other events. */
async function findQueues(
  store: Store,
  query: LogQuery,
): Promise<{ readonly runs: readonly Key[]; readonly areMixed: boolean }> {
  const { accountId, filters, webhooks } = query;
  if (webhooks === undefined) {
    const found = await findNewQueues(store, accountId, filters);
    return { runs: found?.runs ?? [], areMixed: found?.areMixed ?? false };
  }
  const own = ownOf(webhooks, filters);
  return {
    runs: own.map(({ id: webhookId, event }) => keys.newQueue({ accountId, event, webhookId })),
    areMixed: filters.event !== undefined && own.some(({ events }) => events !== undefined),
  };
}

/** The queues of new deliveries of an account. `undefined`: there are more than `maximum`. */
export async function findNewQueues(
  store: Store,
  accountId: string,
  { event, webhook_id: webhookId }: Part,
  maximum = Number.POSITIVE_INFINITY,
): Promise<{ readonly runs: readonly Key[]; readonly areMixed: boolean } | undefined> {
  const runs = await findFewRuns(store, keys.newQueues(accountId), [event, webhookId], maximum);
  if (runs === undefined || event === undefined) return runs && { runs, areMixed: false };
  const several = await listAddressesOfSeveral(store, accountId);
  const others = several.filter(
    (address) => address.event !== event && (webhookId ?? address.webhookId) === address.webhookId,
  );
  return { runs: [...runs, ...others.map(keys.newQueue)], areMixed: several.length > 0 };
}

/** The webhooks of a query that may have matches. */
function ownOf(webhooks: readonly LoggedWebhook[], filters: Part): readonly LoggedWebhook[] {
  return webhooks.filter(
    ({ id, event, events }) =>
      (filters.webhook_id ?? id) === id && (events !== undefined || (filters.event ?? event) === event),
  );
}

/** The parts of the index that may have matches: one for each webhook, if the query names webhooks. */
function partsOf({ filters, webhooks }: LogQuery): readonly Part[] {
  if (webhooks === undefined) return [filters];
  // A webhook with several events may have had others before.
  return ownOf(webhooks, filters).map(({ id, event, events }) => ({
    ...filters,
    webhook_id: id,
    event: events === undefined ? event : filters.event,
  }));
}

/** `undefined`: there are too many. */
async function findIndexRuns(store: Store, query: LogQuery): Promise<readonly Key[] | undefined> {
  const maximum = needsRows(query.filters) ? maximumRunsOfRows : maximumRuns;
  const runs: Key[] = [];
  for (const part of partsOf(query)) {
    const dimensions = indexedFilters.map((name) => part[name]);
    const found = await findFewRuns(store, keys.logs(query.accountId), dimensions, maximum);
    if (found === undefined || runs.length + found.length > maximum) return undefined;
    runs.push(...found);
  }
  return runs;
}

/** Reads the newest rows of some runs, of the log or of its index, and filters them. */
async function filterRows(store: Store, query: LogQuery, runs: readonly Key[]): Promise<Found> {
  const { filters, webhooks, limit, maximumScanned = rowsFiltered } = query;
  const own = webhooks && new Set(webhooks.map(({ id }) => id));
  const entries: FoundEntry[] = [];
  let before = query.before;
  let [rowsRead, entriesRead] = [0, 0];
  while (rowsRead < maximumScanned && entriesRead < maximumEntries && entries.length < limit) {
    const page = await readRowsOfRuns(store, { ...query, before, runs });
    for (const row of page.rows)
      if (matchesFilters(row, filters) && (own?.has(row.webhook_id) ?? true))
        entries.push({ id: row.id, row, isNew: false });
    if (page.next === undefined) return { entries, completeTo: undefined };
    before = page.next;
    rowsRead += page.rows.length;
    entriesRead += page.entriesRead;
    await nextTurn();
  }
  return { entries, completeTo: before };
}

/** The next rows of some runs, newest first. */
async function readRowsOfRuns(
  store: Store,
  query: LogQuery & { readonly runs: readonly Key[] },
): Promise<{
  readonly rows: readonly DeliveryRow[];
  readonly entriesRead: number;
  readonly next: string | undefined;
}> {
  const { accountId, runs, before, filters, onUnreadable } = query;
  const hasRows = runs[0]?.length === keys.deliveries(accountId).length;
  const end = endOfOthers(filters);
  const isBehindEnd = !hasRows && end !== undefined && (before === undefined || before > end);
  const limit = isBehindEnd ? entriesAtOnce : rowsFilteredAtOnce;
  const toRow = ({ key, value }: Entry): FoundEntry & { readonly mayMatch: boolean } => {
    const id = idOf(key);
    const mayMatch = end === undefined || id < end || hasRows || isOfMissedEvent(value);
    return { id, row: hasRows ? parseOnce(value, onUnreadable) : undefined, isNew: false, mayMatch };
  };
  const found = await readNewest(store, { runs, before, limit, toRow });
  const all = found.filter(({ mayMatch }) => mayMatch);
  const wanted = all.slice(0, rowsFilteredAtOnce);
  const last = (wanted.length < all.length ? wanted : found).at(-1)?.id;
  const isRest = found.length < limit && wanted.length === all.length;
  const isAtEnd = isRest || last === undefined || last < firstIdOf(filters);
  const rows = await readRows(store, query, wanted);
  return { rows, entriesRead: found.length, next: isAtEnd ? undefined : last };
}

/** A delivery that was removed meanwhile is omitted. */
async function readRows(
  store: Store,
  { accountId, onUnreadable }: Pick<LogQuery, "accountId" | "onUnreadable">,
  entries: readonly FoundEntry[],
): Promise<DeliveryRow[]> {
  const wanted = entries.filter(({ row, isNew }) => row === undefined || isNew).map(({ id }) => id);
  const texts = await store.getMany(wanted.map((id) => keys.delivery(accountId, id)));
  const read = new Map(wanted.map((id, index) => [id, texts[index]]));
  return entries.flatMap(({ id, row }) => {
    const text = read.get(id);
    return (text === undefined ? row : parseRow(id, text, onUnreadable)) ?? [];
  });
}

function parseRow(id: string, text: string, onUnreadable: OnUnreadable | undefined): DeliveryRow | undefined {
  if (onUnreadable === undefined) return parseDeliveryRow(text);
  try {
    return parseDeliveryRow(text);
  } catch (cause) {
    onUnreadable(id, cause);
    return undefined;
  }
}

/** As {@link parseRow}, for a row that is read again if this returns nothing. */
function parseOnce(text: string, onUnreadable: OnUnreadable | undefined): DeliveryRow | undefined {
  return parseRow("", text, onUnreadable && (() => {}));
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

/**
 * Finds deliveries by their ids, in no order. Unknown ids are omitted.
 *
 * @param onUnreadable @default a row that cannot be read throws
 */
export async function findDeliveries(
  store: Store,
  accountId: string,
  ids: readonly string[],
  onUnreadable?: OnUnreadable,
): Promise<DeliveryRow[]> {
  const texts = new Map<string, string>();
  const readLogged = async (wanted: readonly string[]): Promise<void> => {
    const logged = await store.getMany(wanted.map((id) => keys.delivery(accountId, id)));
    wanted.forEach((id, index) => setIfFound(texts, id, logged[index]));
  };
  await readLogged(ids);
  const missing = ids.filter((id) => !texts.has(id));
  if (missing.length > 0) {
    // A delivery without an attempt is only in the queue of its webhook.
    const queues = await findRuns(store, keys.newQueues(accountId), [undefined, undefined]);
    const places = queues.flatMap((queue) => missing.map((id) => [...queue, id] as const));
    const queued = await store.getMany(places);
    places.forEach((key, index) => setIfFound(texts, idOf(key), queued[index]));
    // Its first attempt may have ended between the two reads.
    if (missing.some((id) => !texts.has(id))) await readLogged(missing);
  }
  return Array.from(texts, ([id, text]) => parseRow(id, text, onUnreadable)).filter(
    (row) => row !== undefined,
  );
}

function setIfFound(texts: Map<string, string>, id: string, text: string | undefined): void {
  if (text !== undefined) texts.set(id, text);
}

/** As {@link findDeliveries}, but in the order of the ids, and without deliveries that wait for their first attempt. It is one read. */
export async function findLoggedDeliveries(
  store: Store,
  accountId: string,
  ids: readonly string[],
  onUnreadable?: OnUnreadable,
): Promise<DeliveryRow[]> {
  if (ids.length === 0) return [];
  const texts = await store.getMany(ids.map((id) => keys.delivery(accountId, id)));
  return ids.flatMap((id, index) => {
    const text = texts[index];
    return (text === undefined ? undefined : parseRow(id, text, onUnreadable)) ?? [];
  });
}

/** The entry of a delivery in the log index. */
export function logKeyOf(accountId: string, delivery: DeliveryRow): Key {
  const { id, event, webhook_id: webhookId, project_id: projectId, status, kind } = delivery;
  return keys.log(accountId, { event, webhookId, projectId, status, kind, deliveryId: id });
}
