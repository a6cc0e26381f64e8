import { findDeliveries, listDeliveries, matchesFilters } from "@hookwright/delivery";
import type { DeliveryRow, LogFilters, LoggedWebhook, LogPage, LogQuery } from "@hookwright/delivery";
import { isHostId } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { isDeliveryIdPart, matchText } from "./match-text.ts";
import type { TextMatch } from "./match-text.ts";
import type { SearchContext } from "./search-context.ts";
import { noSuch } from "./no-such.ts";

/** @throws HookwrightError `resource_not_found` */
export async function expectDelivery(
  store: Store,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const [delivery] = isHostId(deliveryId) ? await findDeliveries(store, accountId, [deliveryId]) : [];
  if (delivery === undefined) throw noSuch("delivery");
  return delivery;
}

export interface DeliverySearch {
  readonly accountId: string;
  readonly filters: LogFilters;
  /** Only deliveries that this text names, see `matchText`. @default all */
  readonly text?: string | undefined;
  /** Only deliveries of these webhooks. @default all */
  readonly webhooks?: readonly LoggedWebhook[] | undefined;
}

export interface FoundDeliveries {
  /** What the text names. `undefined`: there is none. */
  readonly match: TextMatch | undefined;
  /** Reads a page, newest first. It may be short, or empty, although another follows. */
  readPage(page: Pick<LogQuery, "before" | "limit" | "maximumScanned">): Promise<LogPage>;
}

/** Finds the deliveries that filters and a text match: the one way from filters to rows. The text is looked up once for all pages. */
export async function findMatching(
  context: SearchContext,
  { accountId, filters, text, webhooks }: DeliverySearch,
): Promise<FoundDeliveries> {
  const { store } = context;
  if (text === undefined)
    return {
      match: undefined,
      readPage: (page) => listDeliveries(store, { accountId, filters, webhooks, ...page }),
    };
  const match = await matchText(context, accountId, text);
  const search = { accountId, filters, webhooks };
  return { match, readPage: (page) => readMatching(store, { ...search, ...page }, match) };
}

/** A page of the deliveries that filters and a match have in common. */
export async function readMatching(store: Store, query: LogQuery, match: TextMatch): Promise<LogPage> {
  const { webhooks, limit } = query;
  // One more shows whether another page follows.
  const further = { ...query, limit: limit + 1 };
  if (!match.isComplete) return cut([await filterLog(store, further, match)], limit);
  const own = webhooks && new Set(webhooks.map(({ id }) => id));
  const ofWebhooks = match.webhooks.map(({ row }) => row).filter(({ id }) => own?.has(id) ?? true);
  // A part of the id of a delivery is a range of the log.
  const range = isDeliveryIdPart(match.text) && match.text.length < deliveryIdLength ? match.text : undefined;
  const pages = await Promise.all([
    ...(ofWebhooks.length === 0 ? [] : [listDeliveries(store, { ...further, webhooks: ofWebhooks })]),
    ...(range === undefined ? [] : [listRange(store, further, range)]),
    readNamed(store, further, match),
  ]);
  return cut(pages, limit);
}

const deliveryIdLength = 36;

/** Joins lists that are each complete down to their `next`. */
function cut(pages: readonly LogPage[], limit: number): LogPage {
  const furthest =
    pages
      .map(({ next = "" }) => next)
      .toSorted()
      .at(-1) ?? "";
  const rows = new Map(pages.flatMap(({ deliveries }) => deliveries).map((row) => [row.id, row]));
  const found = [...rows.values()].filter(({ id }) => id >= furthest).toSorted(newestFirst);
  const deliveries = found.slice(0, limit);
  return { deliveries, next: found.length > limit ? deliveries.at(-1)?.id : furthest || undefined };
}

function newestFirst(left: DeliveryRow, right: DeliveryRow): number {
  return left.id < right.id ? 1 : -1;
}

/** Rows of the log that one request filters, if too many records match. */
const rowsFiltered = 500;
const rowsFilteredAtOnce = 50;

async function filterLog(store: Store, query: LogQuery, match: TextMatch): Promise<LogPage> {
  const { limit, maximumScanned = rowsFiltered } = query;
  const atOnce = Math.min(maximumScanned, Math.max(rowsFilteredAtOnce, limit));
  const deliveries: DeliveryRow[] = [];
  let { before } = query;
  for (let read = 0; read < maximumScanned && deliveries.length < limit; read += atOnce) {
    const page = await listDeliveries(store, { ...query, before, limit: atOnce, maximumScanned: atOnce });
    deliveries.push(...(await match.filter(page.deliveries)));
    if (page.next === undefined) return { deliveries, next: undefined };
    before = page.next;
  }
  return { deliveries, next: before };
}

/** The deliveries whose ids begin like this. */
async function listRange(store: Store, query: LogQuery, beginning: string): Promise<LogPage> {
  // The digits of an id are all before this letter.
  const end = `${beginning}g`;
  const before = query.before === undefined || end < query.before ? end : query.before;
  const { deliveries, next } = await listDeliveries(store, { ...query, before });
  const isAtEnd = next === undefined || next < beginning;
  return {
    deliveries: deliveries.filter(({ id }) => id.startsWith(beginning)),
    next: isAtEnd ? undefined : next,
  };
}

/** Rows that one request reads, or one more than a page if that is more. A record may have thousands of deliveries. */
const maximumRowsRead = 50;
/** Rows read together. Other requests run between two reads. */
const maximumReadTogether = 100;
const minimumReadAgain = 10;

/**
 * The deliveries of the records, and the one with the id. Rows are read only until there are enough.
 *
 * A caller that sees only some webhooks must not learn how many deliveries the others have. Then all that is named is read. If that is
 * too much, the log of these webhooks is filtered.
 */
async function readNamed(store: Store, query: LogQuery, match: TextMatch): Promise<LogPage> {
  const { accountId, filters, webhooks, limit, onUnreadable } = query;
  const maximumRead = Math.max(webhooks === undefined ? maximumRowsRead : rowsFiltered, limit);
  const ids = await match.listNamed(query.before, maximumRead + 1);
  if (webhooks !== undefined && ids.length > maximumRead) return filterLog(store, query, match);
  const candidates = ids.slice(0, maximumRead);
  const deliveries: DeliveryRow[] = [];
  let read = 0;
  while (deliveries.length < limit && read < candidates.length) {
    const least = webhooks === undefined ? minimumReadAgain : maximumReadTogether;
    const wanted = Math.max(limit - deliveries.length, read === 0 ? 0 : least);
    const batch = candidates.slice(read, read + Math.min(wanted, maximumReadTogether));
    const found = await match.filter(await findDeliveries(store, accountId, batch, onUnreadable));
    const isOwn = ({ webhook_id: id }: DeliveryRow): boolean =>
      webhooks?.some((each) => each.id === id) ?? true;
    deliveries.push(...found.filter((row) => isOwn(row) && matchesFilters(row, filters)));
    read += batch.length;
  }
  return { deliveries, next: ids.length > read ? candidates[read - 1] : undefined };
}
