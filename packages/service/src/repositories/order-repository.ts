import type { OrderInput } from "@hookwright/domain";
import type { OrderFilters } from "../use-cases.ts";
import type { Awaitable, Listed, ListPage } from "./repository.ts";

/** An order as it is published: the site, and the fields of specification §2.8. */
export interface KeptOrder {
  readonly project_id: string;
  readonly data: Omit<OrderInput, "created_at"> & { readonly created_at: string | Date };
}

/**
 * Orders in your own database, which `/v1/orders` answers from. Webhooks and samples are of what is published, as ever.
 *
 * A function may answer at once or with a promise, within 4.5 s. A `HookwrightError` that it throws goes to the client as it is; anything
 * else is a fault: it is logged, and the client is told 500.
 */
export interface OrderRepository {
  /** The order, where this account has it; undefined or null where it has not. */
  get(accountId: string, orderId: string): Awaitable<KeptOrder | undefined | null>;
  /** Orders of this account that match every filter exactly, newest first. `email` is the customer's, trimmed and in lower case. */
  list(accountId: string, filters: OrderFilters, page: ListPage): Awaitable<readonly Listed<KeptOrder>[]>;
}
