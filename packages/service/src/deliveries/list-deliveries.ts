import { listDeliveries as listLog } from "@hookwright/delivery";
import type { Delivery } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { DeliveryFilters, Page, PageRequest } from "../use-cases.ts";
import { toDelivery } from "./delivery-shape.ts";
import { findByText } from "./find-by-text.ts";

/**
 * A page of the delivery log, newest first.
 *
 * @throws HookwrightError `validation_failed` if the project is not one of the account, `invalid_cursor`
 */
export async function listDeliveries(
  { store, events, cursors }: Pick<ServiceContext, "store" | "events" | "cursors">,
  accountId: string,
  { q, ...filters }: DeliveryFilters,
  page: PageRequest,
): Promise<Page<Delivery>> {
  if (filters.project_id !== undefined) await expectProject(store, accountId, filters.project_id);
  const cursor = openCursor(cursors, { accountId, list: "deliveries", filters: { ...filters, q }, page });
  const [position] = cursor.position ?? [];
  const before = typeof position === "string" ? position : undefined;
  const query = { accountId, filters, before, limit: page.limit };
  const { deliveries, next } =
    q === undefined
      ? await listLog(store, query)
      : await findByText({ store, events }, { ...query, text: q });
  return {
    rows: deliveries.map(toDelivery),
    meta: { has_more: next !== undefined, next_cursor: next === undefined ? null : cursor.seal([next]) },
  };
}
