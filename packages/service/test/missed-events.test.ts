import { expect, it } from "vitest";
import { sweepMissedEvents } from "../src/retention/sweep-missed-events.ts";
import { countMissed } from "../src/rows/missed-events.ts";
import { accountId } from "./support/fake-world.ts";
import { openRecoveries } from "./support/open-recoveries.ts";
import type { Recoveries } from "./support/open-recoveries.ts";

async function missed({ world: { store, partition } }: Recoveries): Promise<string[]> {
  const entries = await store.list({ prefix: [partition, "missed-event"], limit: 10_000 });
  return entries.map(({ key }) => String(key.at(-1)));
}

/** A paused webhook that has missed these orders, a second apart. */
async function miss(opened: Recoveries, ...orderIds: string[]): Promise<void> {
  const { webhooks } = opened.service;
  if ((await webhooks.get(accountId, opened.webhookId)).status === "active")
    await webhooks.pause(accountId, opened.webhookId);
  for (const orderId of orderIds) {
    await opened.publish(orderId);
    await opened.world.clock.advance(1_000);
  }
}

async function sweep(opened: Recoveries, limits: { publishedBefore?: number; maximumKept?: number }) {
  const { store } = opened.world;
  const pause = async (): Promise<void> => {};
  await sweepMissedEvents({ store, accountId, publishedBefore: 0, pause, ...limits });
}

it("an active webhook misses nothing, and a paused one only events of its own", async () => {
  await using opened = await openRecoveries();
  await opened.publish("ord_1");
  await miss(opened, "ord_2");
  await opened.publish("ord_3", "order.paid");
  expect(await missed(opened)).toEqual(["ord_2"]);
});

it("missed events are counted from a time on, up to a limit", async () => {
  await using opened = await openRecoveries();
  const { store, clock } = opened.world;
  const count = (since: number, limit = 10_000) =>
    countMissed(store, { accountId, webhookId: opened.webhookId, since, limit });
  await miss(opened, "ord_1");
  const since = clock.now();
  await miss(opened, "ord_2");
  await Promise.all(Array.from({ length: 1_200 }, (_, index) => opened.publish(`ord_more_${index}`)));
  expect(await count(0)).toBe(1_202);
  expect(await count(since)).toBe(1_201);
  expect(await count(since, 700)).toBe(700);
  expect(await count(clock.now() + 1)).toBe(0);
});

it.each([0, 0.5])("old missed events are removed, also before a time with %d ms", async (fraction) => {
  await using opened = await openRecoveries();
  await miss(opened, "ord_1");
  const publishedBefore = opened.world.clock.now() - fraction;
  await miss(opened, "ord_2");
  await sweep(opened, { publishedBefore });
  expect(await missed(opened)).toEqual(["ord_2"]);
});

it("the oldest missed events above the limit are removed", async () => {
  await using opened = await openRecoveries();
  await miss(opened, "ord_1", "ord_2", "ord_3");
  await sweep(opened, { maximumKept: 2 });
  expect(await missed(opened)).toEqual(["ord_2", "ord_3"]);
});

it("more than one batch is removed", async () => {
  await using opened = await openRecoveries();
  await miss(opened, "ord_1");
  await Promise.all(Array.from({ length: 1_200 }, (_, index) => opened.publish(`ord_more_${index}`)));
  await sweep(opened, { maximumKept: 10 });
  expect(await missed(opened)).toHaveLength(10);
  expect(await missed(opened)).not.toContain("ord_1");
});

it("the missed events of a removed webhook are removed", async () => {
  await using opened = await openRecoveries();
  await miss(opened, "ord_1");
  await sweep(opened, {});
  expect(await missed(opened)).toEqual(["ord_1"]);
  await opened.service.webhooks.remove(accountId, opened.webhookId);
  await sweep(opened, {});
  expect(await missed(opened)).toEqual([]);
});

it("only the events of the time of a recovery are sent, and the others stay", async () => {
  await using opened = await openRecoveries();
  await miss(opened, "ord_1");
  const since = new Date(opened.world.clock.now()).toISOString();
  await miss(opened, "ord_2");
  const until = new Date(opened.world.clock.now()).toISOString();
  await miss(opened, "ord_3");
  await opened.service.webhooks.resume(accountId, opened.webhookId);
  const recovery = await opened.recover({ since, until, missed: true });
  expect(await opened.finish(recovery)).toMatchObject({ found: 1, resent: 1 });
  expect(opened.sent()).toEqual(["ord_2"]);
  expect(await missed(opened)).toEqual(["ord_1", "ord_3"]);
});
