import { sampleDeliveryBody } from "@hookwright/domain";

/** A complete order with some changed fields. All orders are of one customer, whose address is in capitals. */
export function order(id: string, changes: object = {}) {
  const { data } = sampleDeliveryBody("order.created");
  const customer = { name: "Ada Lovelace", email: "Ada@Example.com", phone: null };
  const items = [{ name: "Loaf", sku: null, quantity: 2, price: 10.5, total: 21 }];
  return { ...data, id, number: id.replace("ord_", ""), customer, items, ...changes };
}
