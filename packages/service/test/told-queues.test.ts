import { keys } from "@hookwright/delivery";
import { sampleDeliveryBody } from "@hookwright/domain";
import type { Commit } from "@hookwright/storage";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";

/** An account with two webhooks of orders, and what each commit tells others of. */
async function openAccount({ takes }: { readonly takes: boolean }) {
  const wakes: Commit["wake"][] = [];
  const { service } = openService({
    scheduler: { takes: () => takes, offer: () => {}, doubt: () => {}, wake: () => {} },
    wrap: (inner) => ({
      ...inner,
      commit(partition, commit) {
        wakes.push(commit.wake);
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
    queues.push(keys.freshLane({ accountId: "acc_1", event: "order.created", webhookId: webhook.id }));
  }
  const publish = (id: string) =>
    service.publish({
      event: "order.created",
      project_id: "site_1",
      data: { ...sampleDeliveryBody("order.created").data, id },
    });
  wakes.length = 0;
  return { service, publish, queues, wakes };
}

it("whoever delivers in another process is told which queues have something new, with every commit", async () => {
  const { service, publish, queues, wakes } = await openAccount({ takes: false });
  const { deliveries } = await publish("ord_1");
  expect(wakes).toEqual([queues]);
  wakes.length = 0;
  await Promise.all([publish("ord_2"), publish("ord_3")]);
  expect(wakes.length).toBeGreaterThan(0);
  const named = (wake: Commit["wake"]): Set<string> => new Set(Array.isArray(wake) ? wake.map(String) : []);
  for (const wake of wakes) expect(named(wake)).toEqual(new Set(queues.map(String)));
  wakes.length = 0;
  await service.deliveries.resend("acc_1", deliveries[1] ?? "");
  expect(wakes).toEqual([[queues[1]]]);
});

it("nobody is told of what is published again, or of what this process delivers itself", async () => {
  const { publish, wakes } = await openAccount({ takes: false });
  await publish("ord_1");
  wakes.length = 0;
  expect(await publish("ord_1")).toMatchObject({ duplicate: true });
  expect(wakes).toEqual([false]);
  const ownWork = await openAccount({ takes: true });
  const { deliveries } = await ownWork.publish("ord_1");
  await ownWork.service.deliveries.resend("acc_1", deliveries[0] ?? "");
  expect(ownWork.wakes).toEqual([false, false]);
});
