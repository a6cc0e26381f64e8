import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sampleDeliveryBody } from "@hookwright/domain";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

it("contacts that are read for orders are not cached, because their notes may be long", async () => {
  const { service } = openService();
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: "acc_1" });
  const { data } = sampleDeliveryBody("order.created");
  const people = Array.from({ length: 400 }, (_, index) => `person-${index}@example.com`);
  for (const email of people) {
    const notes = `${email} `.padEnd(20_000, "and so on ");
    await service.contacts.write("acc_1", { project_id: "site_1", email, notes });
  }
  const before = heapUsed();
  for (const [index, email] of people.entries()) {
    const order = { ...data, id: `ord_${index}`, customer: { name: "Ada", email, phone: null } };
    await service.publish({ event: "order.created", project_id: "site_1", data: order });
  }
  // Cached contacts would take 8 MB. The orders and their index entries take less.
  expect(heapUsed() - before).toBeLessThan(6_000_000);
});
