import { listDeliveries as listLog } from "@hookwright/delivery";
import type { DeliveryRow, LogPage, LogQuery, WebhookRow } from "@hookwright/delivery";
import type { Delivery } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { DeliveryFilters, Page, PageRequest } from "../use-cases.ts";
import { toDelivery } from "./delivery-shape.ts";
import { parseDeliveryFilters } from "./delivery-filters.ts";
import { findByText } from "./find-by-text.ts";

/**
 * A page of the delivery log, newest first.
 *
 * @param own only deliveries of these webhooks. @default all deliveries of the account
 * @throws HookwrightError `validation_failed` if a filter is invalid or the site is not one of the account, `invalid_cursor`
 */
export async function listDeliveries(
  { store, events, cursors }: Pick<ServiceContext, "store" | "events" | "cursors">,
  accountId: string,
  filters: DeliveryFilters,
  page: PageRequest,
  own?: readonly Pick<WebhookRow, "id" | "event">[],
): Promise<Page<Delivery>> {
  const parsed = parseDeliveryFilters(filters);
  if (filters.project_id !== undefined) await expectProject(store, accountId, filters.project_id);
  const cursor = openCursor(cursors, {
    accountId,
    list: "deliveries",
    filters: { ...filters, error: filters.error ?? undefined },
    page,
  });
  const [position] = cursor.position ?? [];
  const before = typeof position === "string" ? position : undefined;
  const query = { accountId, filters: parsed, before, limit: page.limit };
  const { deliveries, next } = await readPage({ store, events }, query, filters.q, own);
  return {
    rows: deliveries.map(toDelivery),
    meta: { has_more: next !== undefined, next_cursor: next === undefined ? null : cursor.seal([next]) },
  };
}

async function readPage(
  context: Pick<ServiceContext, "store" | "events">,
  query: LogQuery,
  text: string | undefined,
  own: readonly Pick<WebhookRow, "id" | "event">[] | undefined,
): Promise<LogPage> {
  if (text !== undefined) {
    const { deliveries, next } = await findByText(context, { ...query, text });
    const isOwn = ({ webhook_id: id }: DeliveryRow): boolean => own?.some((each) => each.id === id) ?? true;
    return { deliveries: deliveries.filter(isOwn), next };
  }
  return listLog(context.store, { ...query, webhooks: own });
}
