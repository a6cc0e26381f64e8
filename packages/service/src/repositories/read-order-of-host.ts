import { readKeptOrder, validationFailed } from "@hookwright/domain";
import type { OnError, Order, Project } from "@hookwright/domain";
import { askRepository } from "./ask-repository.ts";
import type { OrderRepository } from "./order-repository.ts";
import { invalidAnswer } from "./read-kept.ts";

export interface ReadOrderOfHostOptions {
  readonly repository: OrderRepository;
  readonly onError: OnError;
}

/** `unavailable`: the repository did not answer, or answered something that must not be sent. */
type OrderNow = Order | "deleted" | "unavailable";

const name = "orders.get";

/** Reads an order from the host's own database, in the state that it has when it is sent. What goes wrong is logged. */
export function createReadOrderOfHost({ repository, onError }: ReadOrderOfHostOptions) {
  return async (
    accountId: string,
    orderId: string,
    { id: projectId, timezone: timeZone }: Pick<Project, "id" | "timezone">,
  ): Promise<OrderNow> => {
    try {
      const kept = await askRepository({ onError }, name, (signal) =>
        repository.get(accountId, orderId, { signal }),
      );
      if (kept === undefined || kept === null) return "deleted";
      const order = readKeptOrder(kept, { now: Date.now(), timeZone });
      if (!order.ok)
        throw invalidAnswer(name, `what must not go out: ${validationFailed(order.problems).message}`);
      if (order.data.id === orderId && order.project_id === projectId) return order.data;
      throw invalidAnswer(
        name,
        `order ${order.data.id} of site ${order.project_id}, which was not asked for`,
      );
    } catch (error) {
      onError(error, {
        function: name,
        account_id: accountId,
        record_id: orderId,
        code: "repository_order_not_read",
      });
      return "unavailable";
    }
  };
}
