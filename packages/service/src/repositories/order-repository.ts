import type { KeptOrder } from "@hookwright/domain";
import type { OrderFilters } from "../use-cases.ts";
import type { Awaitable, Listed, ListPage, RepositoryCall } from "./repository.ts";

/**
 * Reads orders from your own database for `/v1/orders`. Each attempt of a webhook calls `get`, so commit an order before you publish it.
 * Samples use published orders.
 *
 * A function may return a value or a promise. It has 4.5 s. The client receives a `HookwrightError` that it throws unchanged. Any other
 * error is logged, and the client gets 500, or 503 for a `RepositoryError` with the code `unavailable`.
 */
export interface OrderRepository {
  /** Returns the order of this account; undefined or null if there is none. `orderId` comes from the client. */
  get(accountId: string, orderId: string, call: RepositoryCall): Awaitable<KeptOrder | undefined | null>;
  /**
   * Returns orders of this account that match every filter exactly, newest first by `created_at`. `email` is the address of the
   * customer, trimmed and in lower case.
   */
  list(
    accountId: string,
    filters: OrderFilters,
    page: ListPage & RepositoryCall,
  ): Awaitable<readonly Listed<KeptOrder>[]>;
}
