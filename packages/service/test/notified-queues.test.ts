import { createDelivery, toNotification } from "@hookwright/delivery";
import { sampleDeliveryBody } from "@hookwright/domain";
import type { Webhook } from "@hookwright/domain";
import type { Commit } from "@hookwright/storage";
import { expect, it } from "vitest";
import { idleWorker, openService } from "./support/open-service.ts";

function deliveryTo(webhook: Webhook) {
  return createDelivery({
    id: "dlv_1",
    webhook,
    event: webhook.event,
    recordId: "ord_1",
    recordArrival: 1,
    projectId: "site_1",
    kind: "event",
    now: 0,
  });
}

/** An account with two webhooks of orders, and the keys that each commit notifies. */
async function openAccount({ delivers }: { readonly delivers: boolean }) {
  const notified: Commit["notify"][] = [];
  const { service } = openService({
    worker: { ...idleWorker, delivers: () => delivers },
    wrap: (inner) => ({
      ...inner,
      commit(partition, commit) {
        notified.push(commit.notify);
        return inner.commit(partition, commit);
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: "acc_1" });
  const queues = [];
  for (const target_url of ["https://example.com/one", "https://example.com/two"]) {
    const { webhook } = await service.webhooks.create(
      { accountId: "acc_1", credential: { type: "console" } },
      { event: "order.created", target_url },
    );
    queues.push(...toNotification("acc_1", [deliveryTo(webhook)]));
  }
  const publish = (id: string) =>
    service.publish({
      event: "order.created",
      project_id: "site_1",
      data: { ...sampleDeliveryBody("order.created").data, id },
    });
  notified.length = 0;
  return { service, publish, queues, notified };
}

it("a publish and a resend notify the workers of other processes of their queues", async () => {
  const { service, publish, queues, notified } = await openAccount({ delivers: false });
  const { deliveries } = await publish("ord_1");
  expect(notified).toEqual([queues]);
  notified.length = 0;
  await Promise.all([publish("ord_2"), publish("ord_3")]);
  expect(notified.length).toBeGreaterThan(0);
  const named = (keys: Commit["notify"]): Set<string> => new Set(keys?.map(String));
  for (const keys of notified) expect(named(keys)).toEqual(new Set(queues.map(String)));
  notified.length = 0;
  await service.deliveries.resend("acc_1", deliveries[1] ?? "");
  expect(notified).toEqual([[queues[1]]]);
});

it("nobody is notified if an event is published again, or if this process delivers for the account", async () => {
  const { publish, notified } = await openAccount({ delivers: false });
  await publish("ord_1");
  notified.length = 0;
  expect(await publish("ord_1")).toMatchObject({ duplicate: true });
  expect(notified).toEqual([undefined]);
  const ownWork = await openAccount({ delivers: true });
  const { deliveries } = await ownWork.publish("ord_1");
  await ownWork.service.deliveries.resend("acc_1", deliveries[0] ?? "");
  expect(ownWork.notified).toEqual([undefined, undefined]);
});
