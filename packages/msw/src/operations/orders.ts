import { HookwrightError, isOfKind, normaliseEmail } from "@hookwright/domain";
import { pageOf } from "../lists/page-of.ts";
import type { Operation } from "../routing/operation.ts";
import { expectProject } from "../state/expect-project.ts";
import { recordKey } from "../state/world.ts";
import type { RecordRow } from "../state/world.ts";

interface OrderFilters {
  readonly number: string | undefined;
  readonly email: string | undefined;
  readonly status: string | undefined;
  readonly project_id: string | undefined;
}

export const orderOperations: readonly Operation[] = [
  {
    name: "GET /v1/orders",
    operationId: "listOrders",
    query: ["limit", "cursor", "number", "email", "status", "project_id"],
    handle: ({ world, query }) => {
      const { limit, cursor, number, status, project_id } = query;
      if (project_id !== undefined) expectProject(world, project_id);
      const email = query.email === undefined ? undefined : normaliseEmail(query.email);
      const filters = { number, email, status, project_id };
      const rows = [...world.records.values()].filter((row) => matchesFilters(row, filters));
      return pageOf(world.cursors, { list: "orders", filters, limit, cursor, rows });
    },
  },
  {
    name: "GET /v1/orders/{id}",
    operationId: "getOrder",
    handle: ({ world, parameter }) => {
      const order = world.records.get(recordKey("orders", parameter))?.value;
      if (order !== undefined) return { data: order };
      throw new HookwrightError("resource_not_found", "No such order on this account.");
    },
  },
];

/** Returns whether a row matches all filters exactly. */
function matchesFilters(
  { kind, value: data, projectId }: RecordRow,
  { number, email, status, project_id }: OrderFilters,
): boolean {
  const record = { kind, data };
  if (!isOfKind(record, "orders")) return false;
  const order = record.data;
  return (
    (number === undefined || order.number === number) &&
    (email === undefined || normaliseEmail(order.customer.email) === email) &&
    (status === undefined || order.status === status) &&
    (project_id === undefined || projectId === project_id)
  );
}
