import { expect, it } from "vitest";
import { keys } from "../src/storage/keys.ts";
import { countWebhooksOf } from "../src/webhooks/webhook-store.ts";
import { accepted } from "./support/fake-transport.ts";
import { accountId, createWorld, event, partition } from "./support/fake-world.ts";

const endpoint = { accountId, event, webhookId: "wh_1" };

it("a damaged new delivery does not block other deliveries of its webhook", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const damaged = keys.newDelivery(endpoint, "dlv_00000000");
  await world.store.commit(partition, { mutations: [{ type: "set", key: damaged, value: "{" }] });
  const worker = world.worker();
  await worker.start();
  const deliveries = await world.publish("wh_1", "ord_1", "ord_2", "ord_3");
  await world.clock.advance(5_000);
  expect([...world.transport.counts().keys()].toSorted()).toEqual(deliveries.map(({ id }) => id));
  expect((await world.queued()).map(({ key }) => key)).toEqual([damaged]);
  expect(world.errors.length).toBeGreaterThan(0);
  expect(world.errors.length).toBeLessThan(10);
  await worker.close();
});

it("a damaged new delivery does not block retries of its webhook", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(() => ({ ...accepted(), status: 500, failure: "status" }));
  const before = world.worker();
  await before.start();
  const [delivery] = await world.publish("wh_1", "ord_1");
  await world.clock.advance(1_000);
  await before.close();
  world.transport.answerWith(accepted);
  const damaged = keys.newDelivery(endpoint, "dlv_00000000");
  await world.store.commit(partition, { mutations: [{ type: "set", key: damaged, value: "{" }] });
  await using worker = world.worker();
  await worker.start();
  await world.clock.advance(60_000);
  expect(await world.delivery(delivery?.id ?? "")).toMatchObject({ status: "delivered" });
  expect((await world.queued()).map(({ key }) => key)).toEqual([damaged]);
});

it("a damaged retry does not block other deliveries of its webhook", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const damaged = [
    { type: "set", key: keys.retry(endpoint, world.clock.now(), "dlv_00000000"), value: "" },
    { type: "set", key: keys.delivery(accountId, "dlv_00000000"), value: "{" },
  ] as const;
  await world.store.commit(partition, { mutations: damaged });
  const worker = world.worker();
  const deliveries = await world.publish("wh_1", "ord_1", "ord_2", "ord_3");
  await worker.start();
  await world.clock.advance(5_000);
  worker.offer(accountId, await world.publish("wh_1", "ord_4", "ord_5"));
  await world.clock.advance(5_000);
  for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("delivered");
  expect(world.transport.sent).toHaveLength(5);
  expect((await world.queued()).map(({ key }) => key)).toEqual([damaged[0].key]);
  expect(world.errors.length).toBeGreaterThan(0);
  expect(world.errors.length).toBeLessThan(20);
  await worker.close();
});

it("damaged counters of a webhook start at zero, and results of other webhooks are recorded", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await world.addWebhook("wh_2");
  const worker = world.worker();
  await worker.start();
  const key = keys.webhookHealth(endpoint);
  await world.store.commit(partition, { mutations: [{ type: "set", key, value: "{" }] });
  const deliveries = [
    await world.publishElsewhere("wh_1", "ord_1"),
    await world.publishElsewhere("wh_2", "ord_2"),
  ].flat();
  await world.clock.advance(1_000);
  for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("delivered");
  expect(await world.health("wh_1")).toMatchObject({ consecutive_failures: 0, last_failure_at: null });
  expect(world.errors).toEqual([
    new Error("the counters of webhook wh_1 cannot be read and start again at zero"),
  ]);
  await worker.close();
});

it("a damaged retry that is due in a month does not block its partition", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const inAMonth = world.clock.now() + 30 * 24 * 3_600_000;
  const damaged = [
    { type: "set", key: keys.retry(endpoint, inAMonth, "dlv_00000000"), value: "" },
    { type: "set", key: keys.delivery(accountId, "dlv_00000000"), value: "{" },
  ] as const;
  await world.store.commit(partition, { mutations: damaged });
  const [delivery] = await world.publish("wh_1", "ord_1");
  const worker = world.worker();
  await worker.start();
  await world.clock.advance(1_000);
  expect((await world.delivery(delivery?.id ?? "")).status).toBe("delivered");
  expect(world.errors).toMatchObject([
    { message: "delivery dlv_00000000 is to be retried but cannot be read" },
  ]);
  await worker.close();
});

it("a damaged webhook is counted for its event", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const damaged = ["order.created", "order.paid"].map((event, index) =>
    keys.webhook({ accountId, event, webhookId: `wh_damaged_${index}` }),
  );
  await world.store.commit(partition, {
    mutations: damaged.map((key) => ({ type: "set", key, value: "{" })),
  });
  expect(await countWebhooksOf(world.store, new Set([event]))).toEqual({
    webhooks: new Map([[event, 2]]),
    isComplete: true,
  });
});
