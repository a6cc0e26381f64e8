import { keys } from "@hookwright/delivery";
import { sampleDeliveryBody } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import { expect, it } from "vitest";
import type { Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

/** A storage that carries commits out, and answers none of them once it is told to. */
async function openForgetful() {
  const doubted: string[] = [];
  const offered: string[] = [];
  let fault: Error | undefined;
  const { service, store } = openService({
    scheduler: {
      takes: () => true,
      offer: (accountId) => offered.push(accountId),
      doubt: (accountId) => doubted.push(accountId),
      wake: () => {},
    },
    wrap: (inner) => ({
      ...inner,
      async commit(partition, commit) {
        const result = await inner.commit(partition, commit);
        if (fault !== undefined) throw fault;
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
    doubted,
    offered,
    queued: async () => (await store.list({ prefix: keys.freshDeliveries("acc_1"), limit: 100 })).length,
    failWith: (error: Error | undefined) => (fault = error),
  };
}

const noAnswer = new StorageError("unavailable", "no answer came");

function orderOf(id: string) {
  const data = { ...sampleDeliveryBody("order.created").data, id };
  return { event: "order.created", project_id: "site_1", data };
}

it.each<[what: string, deliveries: number, make: (service: Service, delivery: string) => Promise<unknown>]>([
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
  "deliveries of %s that may be there, for the storage has not answered, are told of",
  async (_, count, make) => {
    const { service, doubted, offered, queued, failWith } = await openForgetful();
    const [delivery = ""] = (await service.publish(orderOf("ord_1"))).deliveries;
    const before = await queued();
    offered.length = 0;
    failWith(noAnswer);
    await expect(make(service, delivery)).rejects.toBe(noAnswer);
    expect(doubted).toContain("acc_1");
    expect(offered).toEqual([]);
    expect((await queued()) - before).toBe(count);
    // Published again it makes none, so nobody else will tell of them.
    failWith(undefined);
    if (count === 2) expect((await service.publish(orderOf("ord_2"))).deliveries).toEqual([]);
  },
);

it("a commit that was refused leaves no doubt", async () => {
  const { service, doubted, failWith } = await openForgetful();
  const refused = new StorageError("value_too_large", "too large");
  failWith(refused);
  await expect(service.publish(orderOf("ord_1"))).rejects.toBe(refused);
  expect(doubted).toEqual([]);
});
