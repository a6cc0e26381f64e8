import { keys, parseDeliveryRow, settle } from "@hookwright/delivery";
import { sampleDeliveryBody } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

/** A record with as many deliveries, none of them tried. */
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
  const waiting = await store.list({ prefix: keys.freshDeliveries("acc_1"), limit: 100 });
  const rows = new Map(waiting.map(({ value }) => [parseDeliveryRow(value).id, parseDeliveryRow(value)]));

  /** As the worker does with one whose webhook was paused. */
  async function endDelivery(id: string): Promise<void> {
    const delivery = rows.get(id);
    if (delivery === undefined) throw new Error(`no delivery ${id} waits`);
    const lane = { accountId: "acc_1", event: delivery.event, webhookId: delivery.webhook_id };
    const { mutations } = settle(
      {
        lane,
        place: { type: "fresh" },
        delivery,
        endedAt: Date.now(),
        outcome: { type: "cancelled", reason: "webhook_not_active" },
      },
      { retryDelaysSeconds: [], random: () => 0.5, webhookRemoved: false },
    );
    await store.commit(partitionOf("acc_1"), { mutations });
  }

  /** As the log does with what is too old. */
  async function sweepDelivery(id: string): Promise<void> {
    await endDelivery(id);
    const entries = await store.list({ prefix: keys.logs("acc_1"), limit: 100 });
    const gone = [
      keys.delivery("acc_1", id),
      ...entries.map(({ key }) => key).filter((key) => key.at(-1) === id),
    ];
    await store.commit(partitionOf("acc_1"), { mutations: gone.map((key) => ({ type: "delete", key })) });
  }

  return { service, store, deliveries, endDelivery, sweepDelivery };
}

it("a record that is deleted leaves nothing of deliveries that have left the log before it", async () => {
  const { service, store, deliveries, endDelivery, sweepDelivery } = await openRecord(3);
  const [waiting = "", ended = "", swept = ""] = deliveries;
  await endDelivery(ended);
  await sweepDelivery(swept);
  await service.records.remove("acc_1", "orders", "ord_1");
  const entries = await store.list({ prefix: keys.deliveriesOfRecord("acc_1", "ord_1"), limit: 100 });
  expect(entries.map(({ key }) => key.at(-1))).toEqual([waiting, ended].toSorted());
});
