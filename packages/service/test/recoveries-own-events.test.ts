import { createEventRegistry, sampleDeliveryBody } from "@hookwright/domain";
import type { EventRegistry, OwnEvent, StandardSchema } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { accountId } from "./support/fake-world.ts";
import { openRecoveries } from "./support/open-recoveries.ts";
import { openService } from "./support/open-service.ts";

const anything: StandardSchema = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
};
const event = "order.shipped";

function register(definition: Partial<OwnEvent>): EventRegistry {
  const sample = sampleDeliveryBody("order.created").data;
  const creation = createEventRegistry({
    [event]: { schema: anything, sample, description: "An order is shipped.", ...definition },
  });
  if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
  return creation.registry;
}

const aboutOrders = register({ record: "orders" });
const ofOwnKind = register({});

describe.each([
  ["about orders", "orders", aboutOrders],
  ["of its own kind", event, ofOwnKind],
] as const)("a process that does not know an event %s", (_, kind, events) => {
  it("sends again what failed", async () => {
    await using opened = await openRecoveries({ events, event });
    await opened.fail("ord_1", "ord_2");
    expect(await opened.finish(await opened.recover())).toMatchObject({ found: 2, resent: 2 });
    expect(opened.sent().toSorted()).toEqual(["ord_1", "ord_2"]);
    expect(opened.world.errors).toEqual([]);
  });

  it("sends what was missed during a pause, as it was stored", async () => {
    await using opened = await openRecoveries({ events, event });
    const { webhooks } = opened.service;
    await webhooks.pause(accountId, opened.webhookId);
    await opened.publish("ord_1");
    await webhooks.resume(accountId, opened.webhookId);
    await opened.world.clock.advance(1_000);
    expect(await opened.finish(await opened.recover({ missed: true }))).toMatchObject({
      found: 1,
      resent: 1,
    });
    await opened.world.clock.advance(1_000);
    const [request] = opened.world.transport.sent;
    const body = JSON.parse(request?.body ?? "{}");
    expect(body).toMatchObject({ id: `${event}_ord_1`, event });
    const stored = await opened.world.store.get([opened.world.partition, "record", accountId, kind, "ord_1"]);
    expect(stored).toContain(JSON.stringify(body.data));
  });

  it("starts a recovery for a webhook of it, after the host removed it", async () => {
    await using opened = await openRecoveries({ events, event });
    await opened.fail("ord_1");
    const { store, clock } = opened.world;
    const { service } = openService({ store, now: clock.now });
    const recovery = await service.webhooks.recover(accountId, opened.webhookId, { since: opened.since });
    expect(recovery).toMatchObject({ found: 1 });
    expect(await opened.finish(recovery)).toMatchObject({ status: "finished", resent: 1 });
  });
});

it("a process that knows another kind of the event sends the same record", async () => {
  await using opened = await openRecoveries({
    events: aboutOrders,
    event,
    recoverer: { events: ofOwnKind },
  });
  await opened.fail("ord_1");
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 1, resent: 1 });
  await opened.world.clock.advance(1_000);
  expect(opened.sent()).toEqual(["ord_1"]);
});

it("a record of another event with the same id is not sent", async () => {
  await using opened = await openRecoveries({ events: ofOwnKind, event });
  await opened.publish("ord_1", "order.created");
  await opened.fail("ord_1");
  await opened.service.records.remove(accountId, event, "ord_1");
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 0, resent: 0 });
  expect(opened.sent()).toEqual([]);
});

it("a missed event whose record cannot be read is reported and stays, and the others are sent", async () => {
  await using opened = await openRecoveries({ events: aboutOrders, event });
  const { webhooks } = opened.service;
  await webhooks.pause(accountId, opened.webhookId);
  for (const id of ["ord_1", "ord_2", "ord_3"]) await opened.publish(id);
  await webhooks.resume(accountId, opened.webhookId);
  const { store, partition } = opened.world;
  const key = [partition, "record", accountId, "orders", "ord_2"] as const;
  const value = (await store.get(key)) ?? "";
  await store.commit(partition, { mutations: [{ type: "set", key, value: "not JSON" }] });
  await opened.world.clock.advance(1_000);
  const ended = await opened.finish(await opened.recover({ missed: true }));
  expect(ended).toMatchObject({ status: "finished", found: 2, resent: 2 });
  expect(opened.world.errors.map(String)).toEqual([
    expect.stringContaining("cannot be read: 1, the first ord_2"),
  ]);
  await store.commit(partition, { mutations: [{ type: "set", key, value }] });
  expect(await opened.finish(await opened.recover({ missed: true }))).toMatchObject({ found: 1, resent: 1 });
  await opened.world.clock.advance(1_000);
  expect(opened.sent().toSorted()).toEqual(["ord_1", "ord_2", "ord_3"]);
});
