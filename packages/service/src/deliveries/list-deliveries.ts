import { countDeliveries as countLog, countsEvents, needsAttempts, outcomeOf } from "@hookwright/delivery";
import type { DeliveryRow, LogFilters, LoggedWebhook, LogPage, StatusCounts } from "@hookwright/delivery";
import { attemptErrors, deliveryKinds, deliveryStates, validationFailed } from "@hookwright/domain";
import type { Delivery, DeliveryCounts } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { findMatching } from "../lookups/find-deliveries.ts";
import { expectProject } from "../lookups/find-project.ts";
import { findIssueFilter } from "../issues/read-issues.ts";
import { isDeliveryIdPart } from "../lookups/match-text.ts";
import type { TextMatch } from "../lookups/match-text.ts";
import type { SearchContext } from "../lookups/search-context.ts";
import { parseChoiceFilter, parseTimeFilter } from "../lookups/parse-filters.ts";
import { toDelivery } from "../rows/delivery-shape.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { DeliveryFilters, Page, PageRequest } from "../use-cases.ts";

/**
 * A page of the delivery log, newest first.
 *
 * @param own only deliveries of these webhooks. @default all deliveries of the account
 * @throws HookwrightError `validation_failed` if a filter is invalid or the site is not one of the account, `invalid_cursor`
 */
export async function listDeliveries(
  context: ListingContext,
  accountId: string,
  filters: DeliveryFilters,
  page: PageRequest,
  own?: readonly LoggedWebhook[],
): Promise<Page<Delivery>> {
  return (await openList(context, accountId, filters, toDelivery, own))(page);
}

type ListingContext = SearchContext & Pick<ServiceContext, "cursors">;

/** Reads the pages of a list. What its text names is looked up once. @throws as {@link listDeliveries} */
export async function openList<Shown>(
  context: ListingContext,
  accountId: string,
  filters: DeliveryFilters,
  toShown: (row: DeliveryRow) => Shown,
  own?: readonly LoggedWebhook[],
): Promise<(page: PageRequest) => Promise<Page<Shown>>> {
  const parsed = await readDeliveryFilters(context.store, accountId, filters);
  if (filters.project_id !== undefined) await expectProject(context.store, accountId, filters.project_id);
  const search = { accountId, filters: parsed, text: filters.q, webhooks: own };
  const { readPage } = await findMatching(context, search);
  return async (page) => {
    const cursor = openCursor(context.cursors, {
      accountId,
      list: "deliveries",
      filters: { ...filters, error: filters.error ?? undefined },
      page,
    });
    const { deliveries, next } = await readPage({ before: cursor.id, limit: page.limit });
    return { rows: deliveries.map(toShown), meta: cursor.toMeta(next === undefined ? undefined : [next]) };
  };
}

/** Nothing is counted further. */
const maximumCount = 10_000;
/** If rows are read, at most this many pages of this size. A row has all its attempts. */
const maximumPages = 20;
const pageSize = 500;

/**
 * Counts events by what became of them, up to 10,000. With a filter of kind or status, it counts deliveries by their status. If all rows have to be read, only the newest 10,000 are.
 *
 * @throws HookwrightError `validation_failed`
 */
export async function countDeliveries(
  context: SearchContext,
  accountId: string,
  filters: DeliveryFilters,
): Promise<DeliveryCounts> {
  const parsed = await readDeliveryFilters(context.store, accountId, filters);
  if (filters.project_id !== undefined) await expectProject(context.store, accountId, filters.project_id);
  const { match, readPage } = await findMatching(context, { accountId, filters: parsed, text: filters.q });
  const wanted = needsAttempts(parsed) ? "rows" : await findCounted(match);
  const counted =
    wanted === "rows" ? undefined : await countIndexed(context.store, accountId, parsed, wanted);
  if (counted !== undefined) return withTotal(counted);
  return countPages(parsed, (before) => readPage({ before, limit: pageSize, maximumScanned: pageSize }));
}

/** The webhooks whose deliveries the text names, if it names no others. `undefined`: it names all of the account, or there is none. */
async function findCounted(
  match: TextMatch | undefined,
): Promise<TextMatch["webhooks"] | "rows" | undefined> {
  if (match === undefined) return undefined;
  const { text, records, isComplete, webhooks, isEverything } = match;
  if (isComplete && records.length === 0) return isDeliveryIdPart(text) ? "rows" : webhooks;
  return (await isEverything()) ? undefined : "rows";
}

/** `undefined`: the index alone cannot count. */
async function countIndexed(
  store: Store,
  accountId: string,
  filters: LogFilters,
  webhooks: TextMatch["webhooks"] | undefined,
): Promise<StatusCounts | undefined> {
  if (webhooks === undefined) return countLog(store, { accountId, filters, maximum: maximumCount });
  const wanted = webhooks.map(({ row: { id } }) => id).filter((id) => (filters.webhook_id ?? id) === id);
  const counts = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
  for (const webhook_id of wanted) {
    const counted = await countLog(store, {
      accountId,
      filters: { ...filters, webhook_id },
      maximum: maximumCount,
    });
    if (counted === undefined) return undefined;
    for (const status of deliveryStates)
      counts[status] = Math.min(maximumCount, counts[status] + counted[status]);
  }
  return counts;
}

async function countPages(
  filters: LogFilters,
  readPage: (before: string | undefined) => Promise<LogPage>,
): Promise<DeliveryCounts> {
  const counts = { pending: 0, delivered: 0, failed: 0, cancelled: 0 };
  let before: string | undefined;
  for (let pages = 0; pages < maximumPages; pages++) {
    const { deliveries, next } = await readPage(before);
    for (const row of deliveries) {
      const status = countsEvents(filters) ? outcomeOf(row) : row.status;
      if (status !== undefined) counts[status] += 1;
    }
    if (next === undefined) break;
    before = next;
  }
  return withTotal(counts);
}

function withTotal(counts: Omit<DeliveryCounts, "all">): DeliveryCounts {
  const { pending, delivered, failed, cancelled } = counts;
  return { all: Math.min(maximumCount, pending + delivered + failed + cancelled), ...counts };
}

/** @throws as {@link parseDeliveryFilters} */
async function readDeliveryFilters(
  store: Store,
  accountId: string,
  { issue: id, ...filters }: DeliveryFilters,
): Promise<LogFilters> {
  const parsed = parseDeliveryFilters(filters);
  if (id === undefined) return parsed;
  const issue = await findIssueFilter(store, accountId, id);
  return { ...parsed, webhook_id: parsed.webhook_id ?? issue.webhook_id, issue };
}

/** @throws HookwrightError `validation_failed` if a value is invalid. An unknown id or event matches nothing */
export function parseDeliveryFilters(filters: Omit<DeliveryFilters, "issue">): LogFilters {
  const { webhook_id, event, project_id } = filters;
  return {
    webhook_id,
    event,
    outcome: parseChoiceFilter("outcome", filters.outcome, deliveryStates),
    status: parseChoiceFilter("status", filters.status, deliveryStates),
    project_id,
    kind: parseChoiceFilter("kind", filters.kind, deliveryKinds),
    error: parseChoiceFilter("error", filters.error ?? undefined, attemptErrors),
    since: parseTimeFilter("since", filters.since),
    until: parseTimeFilter("until", filters.until),
    http_status: parseNumber("http_status", filters.http_status, { minimum: 100, maximum: 599 }),
    attempts_min: parseNumber("attempts_min", filters.attempts_min, { minimum: 1, maximum: 100 }),
  };
}

function parseNumber(
  name: string,
  text: string | undefined,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]*$/u.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text);
  throw validationFailed([`${name}: must be a whole number from ${minimum} to ${maximum}`]);
}
