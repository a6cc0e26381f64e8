import { expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import { accepted } from "./support/fake-transport.ts";
import { accountId, createWorld, event, partition } from "./support/fake-world.ts";

const lane = { accountId, event, webhookId: "wh_1" };

it("a damaged delivery that was never tried keeps no other of its webhook", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const damaged = keys.fresh(lane, "dlv_00000000");
  await world.store.commit(partition, { mutations: [{ type: "set", key: damaged, value: "{" }] });
  const scheduler = world.scheduler();
  await scheduler.start();
  const deliveries = await world.publish("wh_1", "ord_1", "ord_2", "ord_3");
  await world.clock.advance(5_000);
  expect([...world.transport.counts().keys()].toSorted()).toEqual(deliveries.map(({ id }) => id));
  expect((await world.queued()).map(({ key }) => key)).toEqual([damaged]);
  expect(world.faults.length).toBeGreaterThan(0);
  expect(world.faults.length).toBeLessThan(10);
  await scheduler.close();
});

it("a damaged delivery that was never tried keeps no retry of its webhook", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(() => ({ ...accepted(), status: 500, failure: "status" }));
  const before = world.scheduler();
  await before.start();
  const [delivery] = await world.publish("wh_1", "ord_1");
  await world.clock.advance(1_000);
  await before.close();
  world.transport.answerWith(accepted);
  const damaged = keys.fresh(lane, "dlv_00000000");
  await world.store.commit(partition, { mutations: [{ type: "set", key: damaged, value: "{" }] });
  await using scheduler = world.scheduler();
  await scheduler.start();
  await world.clock.advance(60_000);
  expect(await world.delivery(delivery?.id ?? "")).toMatchObject({ status: "delivered" });
  expect((await world.queued()).map(({ key }) => key)).toEqual([damaged]);
});

it("a damaged delivery that is to be tried again keeps no other of its webhook", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const damaged = [
    { type: "set", key: keys.retry(lane, world.clock.now(), "dlv_00000000"), value: "" },
    { type: "set", key: keys.delivery(accountId, "dlv_00000000"), value: "{" },
  ] as const;
  await world.store.commit(partition, { mutations: damaged });
  const scheduler = world.scheduler();
  const deliveries = await world.publish("wh_1", "ord_1", "ord_2", "ord_3");
  await scheduler.start();
  await world.clock.advance(5_000);
  scheduler.offer(accountId, await world.publish("wh_1", "ord_4", "ord_5"));
  await world.clock.advance(5_000);
  for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("delivered");
  expect(world.transport.sent).toHaveLength(5);
  expect((await world.queued()).map(({ key }) => key)).toEqual([damaged[0].key]);
  expect(world.faults.length).toBeGreaterThan(0);
  expect(world.faults.length).toBeLessThan(20);
  await scheduler.close();
});

it("counters of a webhook that are damaged begin anew, and keep nothing of others from being recorded", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  await world.addWebhook("wh_2");
  const scheduler = world.scheduler();
  await scheduler.start();
  const key = keys.webhookHealth(accountId, "wh_1");
  await world.store.commit(partition, { mutations: [{ type: "set", key, value: "{" }] });
  const deliveries = [await world.publish("wh_1", "ord_1"), await world.publish("wh_2", "ord_2")].flat();
  await world.clock.advance(1_000);
  for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("delivered");
  expect(await world.health("wh_1")).toMatchObject({ consecutive_failures: 0, last_failure_at: null });
  expect(world.faults).toEqual([new Error("the counters of webhook wh_1 cannot be read, and begin anew")]);
  await scheduler.close();
});

it("a damaged delivery that is to be tried in a month keeps nothing of its partition", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const inAMonth = world.clock.now() + 30 * 24 * 3_600_000;
  const damaged = [
    { type: "set", key: keys.retry(lane, inAMonth, "dlv_00000000"), value: "" },
    { type: "set", key: keys.delivery(accountId, "dlv_00000000"), value: "{" },
  ] as const;
  await world.store.commit(partition, { mutations: damaged });
  const [delivery] = await world.publish("wh_1", "ord_1");
  const scheduler = world.scheduler();
  await scheduler.start();
  await world.clock.advance(1_000);
  expect((await world.delivery(delivery?.id ?? "")).status).toBe("delivered");
  expect(world.faults).toMatchObject([
    { message: "delivery dlv_00000000 is to be tried again but cannot be read" },
  ]);
  await scheduler.close();
});
