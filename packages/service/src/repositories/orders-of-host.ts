import { findRecordProblems, HookwrightError, isHostId, normaliseEmail } from "@hookwright/domain";
import type { Order } from "@hookwright/domain";
import { expectProject } from "../lookups/find-project.ts";
import type { ServiceContext } from "../context.ts";
import type { OrderUseCases } from "../use-cases.ts";
import { askRepository } from "./ask-repository.ts";
import type { KeptOrder, OrderRepository } from "./order-repository.ts";
import { expectRead, findForeignSite } from "./repository-answers.ts";
import { readRepositoryPage } from "./repository-page.ts";
import { RepositoryError } from "./repository.ts";

/** Orders (specification §2.8) that the host keeps. They go out as the order webhooks send them. */
export function createOrdersOfHost(context: ServiceContext, repository: OrderRepository): OrderUseCases {
  const { store, onFault } = context;
  return {
    async list(accountId, filters, page) {
      if (filters.project_id !== undefined) await expectProject(store, accountId, filters.project_id);
      const email = filters.email === undefined ? undefined : normaliseEmail(filters.email);
      const wanted = { ...filters, email };
      return readRepositoryPage(context, {
        accountId,
        list: "orders",
        filters: wanted,
        page,
        read: (listPage) => repository.list(accountId, wanted, listPage),
        async toShown(rows) {
          const name = "orders.list";
          const orders = rows.map((row) => readOrder(name, row));
          const projectIds = orders.map(({ projectId }) => projectId);
          const foreign = await findForeignSite(store, accountId, { name, projectIds });
          if (foreign !== undefined) throw foreign;
          return orders.map(({ order }) => ({ json: JSON.stringify(order) }));
        },
      });
    },

    async get(accountId, orderId) {
      const name = "orders.get";
      const kept = isHostId(orderId)
        ? await askRepository(context, name, () => repository.get(accountId, orderId))
        : undefined;
      if (kept === undefined || kept === null) throw noSuchOrder();
      const { projectId, order } = readOrder(name, kept);
      if (order.id !== orderId)
        throw new RepositoryError("invalid_answer", `${name} answered another order than it was asked for`);
      const foreign = await findForeignSite(store, accountId, { name, projectIds: [projectId] });
      if (foreign === undefined) return { json: JSON.stringify(order) };
      // Whoever asks is told what an id that there is not would be answered.
      onFault(foreign);
      throw noSuchOrder();
    },
  };
}

function readOrder(
  name: string,
  kept: KeptOrder | null | undefined,
): { readonly projectId: string; readonly order: Order } {
  const data: unknown = kept?.data;
  return {
    projectId: String(kept?.project_id),
    order: expectRead(name, findRecordProblems("order.created", withTextOfTime(data), { within: "data" })),
  };
}

/** Databases answer a `Date`. One that is no time is left to be refused. */
function withTextOfTime(data: unknown): unknown {
  if (typeof data !== "object" || data === null || !("created_at" in data)) return data;
  const { created_at: time } = data;
  if (!(time instanceof Date) || Number.isNaN(time.getTime())) return data;
  return { ...data, created_at: time.toISOString() };
}

function noSuchOrder(): HookwrightError {
  return new HookwrightError("resource_not_found", "No such order on this account.");
}
