import type { Order } from "@hookwright/domain";
import { readData } from "../http/read-envelope.ts";
import type { List, ListQuery } from "../list.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";
import { listOperation } from "./list-operation.ts";

/** Exact, and all of them must match. Filters that are `""` count as left out, as everywhere in the API. */
export interface OrderQuery extends ListQuery {
  readonly number?: string | undefined;
  /** The customer's, without case. */
  readonly email?: string | undefined;
  /** `pending`, `paid`; the set is open. */
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
