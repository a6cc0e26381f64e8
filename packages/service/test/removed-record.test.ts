import { endDelivery, findDeliveries, removeFromLog } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { sampleDeliveryBody } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import { openService } from "./support/open-service.ts";
import { sampleAttempt } from "./support/sample-attempt.ts";

/** A record with a delivery to each of its webhooks, without attempts. */
async function openRecord(webhooks: number) {
  const { service, store } = openService();
  await service.accounts.put("acc_1", { email: "owner@example.com", plan: { integrations: true } });
  await service.projects.put("site_1", { account_id: "acc_1" });
  for (let number = 1; number <= webhooks; number++) {
    await service.webhooks.create(
      { accountId: "acc_1", credential: { type: "console" } },
      { event: "order.created", target_url: `https://example.com/${number}` },
    );
  }
  const { data } = sampleDeliveryBody("order.created");
  const { deliveries } = await service.publish({
    event: "order.created",
    project_id: "site_1",
    data: { ...data, id: "ord_1" },
  });

  /** Ends a delivery with an accepted attempt. */
  async function end(id: string): Promise<DeliveryRow> {
    const [waiting] = await findDeliveries(store, "acc_1", [id]);
    if (waiting === undefined) throw new Error(`no delivery ${id} is queued`);
    const ended = endDelivery({
      accountId: "acc_1",
      delivery: waiting,
      attempt: sampleAttempt,
      endedAt: Date.now(),
    });
    await store.commit(partitionOf("acc_1"), { mutations: ended.mutations });
    return ended.delivery;
  }

  /** Removes a delivery, as retention does. */
  async function sweep(id: string): Promise<void> {
    await store.commit(partitionOf("acc_1"), { mutations: removeFromLog("acc_1", await end(id)) });
  }

  return { service, store, deliveries, end, sweep };
}

it("deleting a record adds no entries for deliveries that retention has removed", async () => {
  const { service, store, deliveries, end, sweep } = await openRecord(3);
  const [waiting = "", ended = "", swept = ""] = deliveries;
  await end(ended);
  await sweep(swept);
  await service.records.remove("acc_1", "orders", "ord_1");
  const entries = await store.list({ prefix: keys.deliveriesOfRecord("acc_1", "ord_1"), limit: 100 });
  expect(entries.map(({ key }) => key.at(-1))).toEqual([waiting, ended].toSorted());
});
