import type { KeptOrder } from "@hookwright/domain";
import type { OrderFilters } from "../use-cases.ts";
import type { Awaitable, Listed, ListPage, RepositoryCall } from "./repository.ts";

/**
 * Orders in your own database, which `/v1/orders` answers from. Webhooks read `get` when they send, so commit an order before you publish it. Samples are of what was published.
 *
 * A function may answer at once or with a promise, and is waited for 4.5 s. A `HookwrightError` that it throws goes to the client as it
 * is; anything else is a fault: it is logged, and the client is told 500, or 503 for a `RepositoryError` that says `unavailable`.
 */
export interface OrderRepository {
  /** The order, where this account has it; undefined or null where it has not. The id may be any text that could be one. */
  get(accountId: string, orderId: string, call: RepositoryCall): Awaitable<KeptOrder | undefined | null>;
  /**
   * Orders of this account that match every filter exactly, newest first by `created_at`. `email` is the customer's, trimmed and in
   * lower case.
   */
  list(
    accountId: string,
    filters: OrderFilters,
    page: ListPage & RepositoryCall,
  ): Awaitable<readonly Listed<KeptOrder>[]>;
}
