import { readKeptOrder, validationFailed } from "@hookwright/domain";
import type { OnError, Order, Project } from "@hookwright/domain";
import { createFairQueue } from "../limits/fair-queue.ts";
import { callRepository } from "./call-repository.ts";
import type { OrderRepository } from "./order-repository.ts";
import { invalidAnswer } from "./read-kept.ts";

export interface ReadOrderOfHostOptions {
  readonly repository: OrderRepository;
  readonly onError: OnError;
}

export interface OrderToSend {
  readonly accountId: string;
  readonly orderId: string;
  readonly project: Pick<Project, "id" | "timezone">;
  /** Milliseconds since the epoch. Used if the repository returns no `created_at`. */
  readonly createdAt: number;
}

/** `unavailable`: the repository did not answer, or its answer is invalid. */
type OrderNow = Order | "deleted" | "unavailable";

const name = "orders.get";
/** Parallel calls per process. A database has few connections, and the deadline of a call must not pass while it waits for one. */
const maximumCalls = 16;

/**
 * Reads the current state of an order from the host's database. Deliveries of the same order at the same time share a call. Errors are
 * logged.
 */
export function createReadOrderOfHost({ repository, onError }: ReadOrderOfHostOptions) {
  const queue = createFairQueue({ levels: [{ running: maximumCalls }] });
  const calls = new Map<string, Promise<OrderNow>>();

  async function read({ accountId, orderId, project, createdAt }: OrderToSend): Promise<OrderNow> {
    const ids = { function: name, account_id: accountId, record_id: orderId };
    try {
      const kept = await queue.run([accountId], () =>
        callRepository({ onError }, name, (signal) => repository.get(accountId, orderId, { signal })),
      );
      if (kept === undefined || kept === null) {
        onError(new Error(`${name} has no order ${orderId} of account ${accountId}`), {
          ...ids,
          code: "repository_order_missing",
        });
        return "deleted";
      }
      const order = readKeptOrder(kept, { now: createdAt, timeZone: project.timezone });
      if (!order.ok) throw invalidAnswer(name, `invalid data: ${validationFailed(order.problems).message}`);
      if (order.data.id === orderId && order.project_id === project.id) return order.data;
      throw invalidAnswer(
        name,
        `order ${order.data.id} of site ${order.project_id}, which was not requested`,
      );
    } catch (error) {
      onError(error, { ...ids, code: "repository_order_not_read" });
      return "unavailable";
    }
  }

  return (order: OrderToSend): Promise<OrderNow> => {
    const key = JSON.stringify([order.accountId, order.orderId, order.project.id]);
    const known = calls.get(key);
    if (known !== undefined) return known;
    const call = read(order).finally(() => calls.delete(key));
    calls.set(key, call);
    return call;
  };
}
