import type { Order } from "@hookwright/domain";
import { readData } from "../http/read-envelope.ts";
import type { List, ListQuery } from "../list.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";
import { listOperation } from "./list-operation.ts";

/**
 * Filters match exactly and are combined with AND. Empty filters (`""`) are ignored, as everywhere in the
 * API.
 */
export interface OrderQuery extends ListQuery {
  readonly number?: string | undefined;
  /** The customer's address, compared case-insensitively. */
  readonly email?: string | undefined;
  /** `pending`, `paid`, or another status. */
  readonly status?: string | undefined;
  readonly project_id?: string | undefined;
}

export interface Orders {
  list(query?: OrderQuery, options?: CallOptions): List<Order>;
  /** @throws ClientError `resource_not_found` */
  get(id: string, options?: CallOptions): Promise<Order>;
}

export function createOrders(send: Send): Orders {
  return {
    list: (query, options) => listOperation(send, operations.listOrders, { query: { ...query } }, options),
    get: async (id, options = {}) =>
      readData<Order>(await send(operations.getOrder, { ...options, parameters: { id } })),
  };
}
