import type { Script } from "./script.ts";

export const subscribers: Script = async (side, ask) => {
  await side.addEmailList("lst_1", "site_1", "News");
  await side.addEmailList("lst_2", "site_2", "Other");
  await side.suppress("bounced@example.com");
  const post = (json: object) => ask("POST /v1/subscribers", { json: { project_id: "site_1", ...json } });
  await post({ email: "Ada@example.com", tags: ["a", " a", ""], list_id: "lst_1" });
  await post({ email: "ada@example.com", name: "Ada", tags: ["b"] });
  await post({ email: "ada@example.com", name: "Other", list_id: "lst_1" });
  await post({ email: "ada@example.com", project_id: "site_2", list_id: "lst_2" });
  await side.unsubscribe("site_1", "gone@example.com");
  await post({ email: "gone@example.com", name: "Gone", tags: ["back"] });
  await side.unsubscribe("site_1", "ADA@example.com");
  await post({ email: "ada@example.com", tags: ["c"] });
  await side.publish("subscriber.created", "site_1", { id: "sub_host", email: "Grace@example.com" });
  await post({ email: "grace@example.com", tags: ["again"] });
  // Of two subscribers with one address, the first to have it counts, even if its record is newer.
  await side.publish("subscriber.created", "site_1", { id: "sub_moved", email: "old@example.com" });
  await side.publish("subscriber.created", "site_1", { id: "sub_stays", email: "both@example.com" });
  await side.publish("subscriber.created", "site_1", { id: "sub_moved", email: "Both@example.com" });
  await post({ email: "both@example.com", tags: ["which"] });
  await post({ email: "old@example.com", tags: ["nobody"] });
  // When the owner of an address changes it, the first other subscriber by id gets the address.
  for (const id of ["sub_first", "sub_y", "sub_b", "sub_z"])
    await side.publish("subscriber.created", "site_1", { id, email: "several@example.com" });
  for (const [id, email] of [
    ["sub_z", "z@example.com"],
    ["sub_first", "first@example.com"],
    ["sub_c", "several@example.com"],
    ["sub_b", "b@example.com"],
  ] as const) {
    await side.publish("subscriber.created", "site_1", { id, email });
    await post({ email: "several@example.com", tags: [`without ${id}`] });
  }
  for (const email of [
    "Bounced@example.com",
    "a@mailinator.com",
    "a@sub.mailinator.com",
    "a@mailinator.example",
  ])
    await post({ email });
  await post({ email: "bounced@example.com", list_id: "lst_2" });
  await post({ email: "x@example.com", list_id: "none" });
  await post({ email: "x@example.com", list_id: " " });
  await post({ email: "x@example.com", project_id: "none", list_id: "none" });
  await post({ name: 5 });
  await post({ email: "x", list_id: 5, tags: {} });
  await ask("GET /v1/event-types/subscriber.created/samples");
  await ask("GET /v1/contacts");
  await side.changeAccount({ plan: { monthly_new_subscribers: 5 } });
  for (const email of ["one@example.com", "two@example.com", "ada@example.com", "bounced@example.com"])
    await post({ email });
  await side.changeAccount({ plan: { monthly_new_subscribers: null } });
  await post({ email: "two@example.com" });
};
