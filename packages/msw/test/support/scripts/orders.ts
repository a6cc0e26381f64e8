import { eventNames } from "@hookwright/domain";
import type { Script } from "./script.ts";

export const orders: Script = async (side, ask) => {
  const customer = { name: "Grace Hopper", email: "Grace@Example.com", phone: "1" };
  await ask("POST /v1/contacts", { json: { project_id: "site_1", email: "ada@example.com", name: "Known" } });
  await side.publish("order.created", "site_1", { id: "ord_1", number: "1", total: 0.1 + 0.2 });
  await side.publish("order.paid", "site_1", { id: "ord_1", number: "1", status: "paid" });
  await side.publish("order.created", "site_2", { id: "ord_2", number: "2", customer });
  await side.publish("order.created", "site_2", { id: "ord_2", number: "2b", customer });
  await side.publish("order.paid", "site_1", {
    id: "ord_3",
    number: "1",
    created_at: "2020-01-01T00:00:00Z",
  });
  for (const event of eventNames) await side.publish(event, "site_2", { id: `any_${event}` });
  for (const query of [
    "",
    "?number=1",
    "?email=grace@example.com",
    "?status=paid",
    "?status=refunded",
    "?project_id=site_2",
    "?project_id=none",
    "?number=1&status=paid&email=ADA@example.com&project_id=site_1",
    "?number=2",
    "?number=2B",
  ])
    await ask(`GET /v1/orders${query}`);
  for (const id of ["ord_1", "ord_2", "none", "any_booking.created"]) await ask(`GET /v1/orders/${id}`);
  for (const event of eventNames) {
    await ask(`GET /v1/event-types/${event}/samples`);
    await ask(`GET /v1/event-types/${event}/samples?project_id=site_1&limit=1`);
  }
  await ask("GET /v1/contacts");
};
