import { sampleDeliveryBody } from "@hookwright/domain";

/** An order, complete, with what a case changes. Those of the suite are of one person, whose address is written in capitals. */
export function order(id: string, changes: object = {}) {
  const { data } = sampleDeliveryBody("order.created");
  const customer = { name: "Ada Lovelace", email: "Ada@Example.com", phone: null };
  const items = [{ name: "Loaf", sku: null, quantity: 2, price: 10.5, total: 21 }];
  return { ...data, id, number: id.replace("ord_", ""), customer, items, ...changes };
}
