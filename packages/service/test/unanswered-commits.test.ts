import { sampleDeliveryBody } from "@hookwright/domain";
import { partitionOf, StorageError } from "@hookwright/storage";
import { expect, it } from "vitest";
import type { Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

/** A store that applies commits, and then fails with an error if it is set. */
async function openUnanswering() {
  const rescanned: string[] = [];
  const offered: string[] = [];
  let failure: Error | undefined;
  const { service, store } = openService({
    worker: {
      delivers: () => true,
      offer: (accountId) => offered.push(accountId),
      rescan: (accountId) => rescanned.push(accountId),
      webhookChanged: () => {},
    },
    wrap: (inner) => ({
      ...inner,
      async commit(partition, commit) {
        const result = await inner.commit(partition, commit);
        if (failure !== undefined) throw failure;
        return result;
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: "acc_1", name: "Site" });
  const creator = { accountId: "acc_1", credential: { type: "console" } } as const;
  for (const event of ["order.created", "subscriber.created"])
    await service.webhooks.create(creator, { event, target_url: "https://example.com/hook" });
  return {
    service,
    rescanned,
    offered,
    queued: async () => (await store.list({ prefix: [partitionOf("acc_1"), "fresh"], limit: 100 })).length,
    failWith: (error: Error | undefined) => (failure = error),
  };
}

const noAnswer = new StorageError("unavailable", "no answer came");

function orderOf(id: string) {
  const data = { ...sampleDeliveryBody("order.created").data, id };
  return { event: "order.created", project_id: "site_1", data };
}

it.each<[what: string, deliveries: number, act: (service: Service, delivery: string) => Promise<unknown>]>([
  ["an event", 1, (service) => service.publish(orderOf("ord_2"))],
  [
    "events together",
    2,
    (service) => Promise.all(["ord_2", "ord_3"].map((id) => service.publish(orderOf(id)))),
  ],
  ["a resend", 1, (service, delivery) => service.deliveries.resend("acc_1", delivery)],
  [
    "a subscriber",
    1,
    (service) => service.subscribers.subscribe("acc_1", { email: "ada@example.com", project_id: "site_1" }),
  ],
])(
  "the worker rescans for deliveries of %s if the outcome of the commit is unknown",
  async (_, count, make) => {
    const { service, rescanned, offered, queued, failWith } = await openUnanswering();
    const [delivery = ""] = (await service.publish(orderOf("ord_1"))).deliveries;
    const before = await queued();
    offered.length = 0;
    failWith(noAnswer);
    await expect(make(service, delivery)).rejects.toBe(noAnswer);
    expect(rescanned).toContain("acc_1");
    expect(offered).toEqual([]);
    expect((await queued()) - before).toBe(count);
    // Publishing the event again creates no deliveries.
    failWith(undefined);
    if (count === 2) expect((await service.publish(orderOf("ord_2"))).deliveries).toEqual([]);
  },
);

it("the worker does not rescan after a commit that was refused", async () => {
  const { service, rescanned, failWith } = await openUnanswering();
  const refused = new StorageError("value_too_large", "too large");
  failWith(refused);
  await expect(service.publish(orderOf("ord_1"))).rejects.toBe(refused);
  expect(rescanned).toEqual([]);
});
