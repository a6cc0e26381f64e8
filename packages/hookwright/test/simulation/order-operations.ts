import type { Order } from "@hookwright/domain";
import type { History } from "./history.ts";
import { accountIds, siteOf } from "./operations.ts";
import type { Network } from "./network.ts";
import type { OperationNamed } from "./operations.ts";
import type { Processes } from "./processes.ts";

export interface OrderOperations {
  publish(operation: OperationNamed<"publish">): Promise<void>;
  burst(operation: OperationNamed<"burst">): Promise<void>;
  remove(operation: OperationNamed<"removeOrder">): Promise<void>;
  resend(operation: OperationNamed<"resend">): Promise<void>;
}

const orderId = (number: number): string => `order_${number}`;

export function createOrderOperations(
  processes: Processes,
  { publications }: History,
  { clock }: Pick<Network, "clock">,
): OrderOperations {
  const { ask, change, service } = processes;
  let published = 0;

  /** Publishes these orders in one call, or in this many concurrent calls. */
  async function publish(
    accountId: string,
    event: string,
    numbers: readonly number[],
    calls = 1,
  ): Promise<void> {
    const first = published;
    published += numbers.length;
    const orders = numbers.map((number, index) => toOrder(orderId(number), first + index));
    // Each process has its own clock, so the network defines the order of publications.
    const as_of = clock.now();
    const inputs = orders.map((data) => ({ event, project_id: siteOf(accountId), data, as_of }));
    const { value, refused, ...asked } = await ask(() =>
      Promise.all(Array.from({ length: calls }, () => service().publishMany(inputs))),
    );
    for (const [index, { id }] of orders.entries()) {
      const answers = Array.from({ length: calls }, (_, call) => value?.[call]?.[index]).map((result) => {
        if (refused || (result !== undefined && "error" in result)) throw new Error(`${id} was refused`);
        return { deliveries: result?.deliveries ?? [], duplicate: result?.duplicate };
      });
      // Of two concurrent publications, either may be the first.
      for (const answer of answers.toSorted(
        (one, other) => Number(one.duplicate === true) - Number(other.duplicate === true),
      ))
        publications.push({ ...asked, ...answer, accountId, orderId: id, event, version: first + index });
    }
  }

  return {
    publish: ({ account, event, order, isToldTwice }) =>
      publish(account, event, [order], isToldTwice ? 2 : 1),
    burst: ({ account, event, orders }) =>
      publish(
        account,
        event,
        Array.from({ length: orders }, (_, number) => number),
      ),
    async remove({ account, order, isReplaced }) {
      const id = orderId(order);
      await change(`${account}/${id}`, false, (service) => service.records.remove(account, "orders", id));
      if (isReplaced) await publish(account, "order.created", [order]);
    },
    async resend({ nth }) {
      for (const accountId of accountIds) {
        const { value } = await ask((service) => service.deliveries.list(accountId, {}, { limit: 100 }));
        const delivery = value?.rows[nth % value.rows.length];
        if (delivery !== undefined) await ask((service) => service.deliveries.resend(accountId, delivery.id));
      }
    },
  };
}

/** An order whose note has the number of its publication. */
function toOrder(id: string, version: number): Order {
  return {
    id,
    number: "1001",
    status: "paid",
    type: "shipping",
    customer: { name: "Ada Lovelace", email: "ada@example.com", phone: null },
    currency: "EUR",
    subtotal: 10,
    shipping: 0,
    tip: null,
    discount: null,
    tax: 0,
    total: 10,
    payment_method: "card",
    shipping_method: "post",
    shipping_address: { line1: "1 Main Street", city: "London", postcode: "N1", country: "GB" },
    coupon_code: null,
    note: String(version),
    scheduled_for: null,
    items: [{ name: "Loaf", sku: null, quantity: 1, price: 10, total: 10 }],
    created_at: "2026-11-20T09:30:00Z",
  };
}
