import { expect, it } from "vitest";
import { listFailedDeliveries } from "../src/webhooks/failed-deliveries.ts";
import { answered } from "./support/fake-transport.ts";
import { accountId, createWorld, partition } from "./support/fake-world.ts";

async function openWorld() {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const worker = world.worker({ retryDelaysSeconds: [] });
  await worker.start();
  const send = async (...recordIds: string[]): Promise<void> => {
    worker.offer(accountId, await world.publish("wh_1", ...recordIds));
    await world.clock.advance(0);
  };
  const failed = async () => {
    const found = [];
    for await (const each of listFailedDeliveries(world.store, partition)) found.push(each);
    return found;
  };
  return { world, worker, send, failed };
}

it("many deliveries of a webhook that have finally failed are one row, with a count and both times", async () => {
  const { world, worker, send, failed } = await openWorld();
  world.transport.answerWith(() => answered(200));
  await send("ord_0");
  expect(await failed()).toEqual([]);
  const startedAt = world.clock.now();
  world.transport.answerWith(() => answered(500));
  await send("ord_1", "ord_2", "ord_3");
  await world.clock.advance(600_000);
  await send("ord_4");
  await world.clock.advance(600_000);
  const [found, ...others] = await failed();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    accountId,
    webhookId: "wh_1",
    row: {
      target_url: "https://wh_1.example.com/hooks",
      count: 4,
      first_at: startedAt,
      last_at: expect.any(Number),
      last_delivery: "dlv_00000005",
      last_failure: "The endpoint answered 500.",
    },
  });
  expect(found?.row?.last_at).toBeGreaterThan(startedAt);
  await worker.close();
});

it("once somebody was told about them, the next ones are counted from the beginning", async () => {
  const { world, worker, send, failed } = await openWorld();
  world.transport.answerWith(() => answered(500));
  await send("ord_1", "ord_2");
  const [told] = await failed();
  if (told === undefined) throw new Error("nothing has failed");
  const { key } = told.entry;
  await world.store.commit(partition, { mutations: [{ type: "delete", key }] });
  await send("ord_3");
  await world.clock.advance(600_000);
  expect((await failed()).map(({ row }) => row?.count)).toEqual([1]);
  expect(world.errors).toEqual([]);
  await worker.close();
});

it("a delivery that is retried and a webhook that is removed write none", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const worker = world.worker();
  await worker.start();
  world.transport.answerWith(() => answered(500));
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(100_000);
  world.transport.answerWith(() => answered(410));
  worker.offer(accountId, await world.publish("wh_1", "ord_2"));
  await world.clock.advance(100_000);
  const table = await world.store.list({ prefix: [partition, "failed-deliveries"], limit: 10 });
  expect([await world.webhook("wh_1"), table]).toEqual([undefined, []]);
  await worker.close();
});
