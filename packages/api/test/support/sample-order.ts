import { sampleDeliveryBody } from "@hookwright/domain";
import type { Order } from "@hookwright/domain";

export function sampleOrder(overrides: Partial<Order> = {}): Order {
  return { ...sampleDeliveryBody("order.created").data, ...overrides };
}
