import { isRecordId, normaliseEmail } from "@hookwright/domain";
import type { Key } from "@hookwright/storage";
import { noSuch } from "../lookups/no-such.ts";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { readIndexPage } from "../store/index-page.ts";
import { keys } from "../rows/keys.ts";
import type { OrderFilters, OrderUseCases } from "../use-cases.ts";
import { toIndexText } from "../rows/record-row.ts";
import { parseRecordRow, readRecordJson } from "../rows/record-row.ts";

/** Orders in the form that order webhooks send. */
export function createOrders(context: ServiceContext): OrderUseCases {
  const { store } = context;
  return {
    async list(accountId, filters, page) {
      if (filters.project_id !== undefined) await expectProject(store, accountId, filters.project_id);
      const email = filters.email === undefined ? undefined : normaliseEmail(filters.email);
      return readIndexPage(context, {
        accountId,
        list: "orders",
        filters: { ...filters, email },
        page,
        ...chooseIndex(accountId, { ...filters, email }),
        rowKey: ({ id }) => keys.record(accountId, "orders", id),
        toRow: (text) => ({ json: readRecordJson(text) }),
      });
    },

    async get(accountId, orderId, projectId) {
      const text = isRecordId(orderId)
        ? await store.get(keys.record(accountId, "orders", orderId))
        : undefined;
      if (text === undefined) throw noSuch("order");
      if (projectId !== undefined && parseRecordRow(text).head.project_id !== projectId)
        throw noSuch("order");
      return { json: readRecordJson(text) };
    },
  };
}

/** Chooses the index that starts with the most selective filter. */
function chooseIndex(
  accountId: string,
  filters: OrderFilters,
): { prefixes: Key[]; dimensions: (string | undefined)[] } {
  const [number, email, status] = [filters.number, filters.email, filters.status].map(
    (text) => text && toIndexText(text),
  );
  const { project_id: projectId } = filters;
  if (number !== undefined)
    return { prefixes: [keys.ordersByNumber(accountId, number)], dimensions: [email, projectId, status] };
  if (email !== undefined)
    return { prefixes: [keys.ordersByEmail(accountId, email)], dimensions: [projectId, status] };
  // Every order has at least one of these entries (see `visitIndexKeys`). `readMergedIndex` removes duplicates.
  return {
    prefixes: ["order.created", "order.paid", "orders"].map((event) => keys.recordList(accountId, event)),
    dimensions: [projectId, status],
  };
}
