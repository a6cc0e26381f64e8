import { createEventRegistry, sampleDeliveryBody } from "@hookwright/domain";
import type { EventRegistry, StandardSchema } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import { sweepEvents } from "../src/retention/sweep-events.ts";
import { checkStore } from "../src/store-check/check-store.ts";
import { accountId, answered } from "./support/fake-world.ts";
import { openRecoveries } from "./support/open-recoveries.ts";

const anything: StandardSchema = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
};
const event = "order.updated";
const sample = sampleDeliveryBody("order.created").data;

function register(record?: "orders"): EventRegistry {
  const creation = createEventRegistry({
    [event]: { schema: anything, sample, description: "An order is changed.", record },
  });
  if (!creation.ok) throw new Error(JSON.stringify(creation.problems));
  return creation.registry;
}

/** A webhook of the event, and a way to publish a change of an order. */
async function openOrders(record: "orders" | undefined) {
  const opened = await openRecoveries({ events: register(record), event });
  const { service, world } = opened;
  const update = (id: string | number | undefined, step: string, orderId = "ord_1") =>
    service.publish({
      event,
      project_id: "site_1",
      id,
      data: { ...sample, id: orderId, status: step, step },
    });
  const sent = () =>
    world.transport.sent.map(({ body }): { id: string; data: Record<string, unknown> } => JSON.parse(body));
  return { ...opened, update, sent };
}

const problemsOf = async ({ world }: Awaited<ReturnType<typeof openOrders>>): Promise<string[]> => {
  const problems: string[] = [];
  await checkStore({ store: world.store, onDamage: ({ problem }) => void problems.push(problem) });
  return problems;
};

describe.each([
  ["about orders", "orders"],
  ["of its own kind", undefined],
] as const)("an event with an id, %s", (_, record) => {
  it("is erased with the address that is in the id of its record", async () => {
    await using opened = await openOrders(record);
    const { service, world, update } = opened;
    const email = "zoe@example.com";
    await update("evt_1", "one", `order:${email}`);
    await world.clock.advance(1_000);
    await service.erasures.start(accountId, { email });
    await world.clock.advance(20_000);
    const rows = await world.store.list({ prefix: [partitionOf(accountId)], limit: 10_000 });
    expect(rows.map(({ key }) => key.join(" ")).filter((key) => key.includes(email))).toEqual([]);
    expect(rows.filter(({ value }) => value.includes(email))).toEqual([]);
  });

  it("happens five times for one order, in order, each with the data of its own publication", async () => {
    await using opened = await openOrders(record);
    const { update, sent, world } = opened;
    const steps = ["one", "two", "three", "four", "five"];
    const results = await Promise.all(steps.map((step, index) => update(`evt_${index}`, step)));
    await world.clock.advance(1_000);
    expect(sent().map(({ id }) => id)).toEqual(steps.map((__, index) => `${event}_evt_${index}`));
    expect(sent().map(({ data }) => [data["id"], data["status"], data["step"]])).toEqual(
      steps.map((step) => ["ord_1", step, step]),
    );
    expect(results.map(({ id, duplicate }) => [id, duplicate])).toEqual(
      steps.map((__, index) => [`${event}_evt_${index}`, false]),
    );
    expect(await problemsOf(opened)).toEqual([]);
  });

  it("keeps its data for a retry, a resend and the log, whatever the order becomes", async () => {
    await using opened = await openOrders(record);
    const { update, sent, service, world } = opened;
    world.transport.answerWith(() => answered(500));
    const { deliveries } = await update("evt_1", "one");
    await world.clock.advance(1_000);
    world.transport.answerWith(() => answered(200));
    await update("evt_2", "two");
    const [failed = ""] = deliveries;
    await service.deliveries.resend(accountId, failed);
    await world.clock.advance(1_000);
    const bodies = sent();
    expect(bodies.map(({ id, data }) => [id, data["step"]])).toEqual([
      [`${event}_evt_1`, "one"],
      [`${event}_evt_2`, "two"],
      [`${event}_evt_1`, "one"],
    ]);
    const detail = await service.deliveries.get(accountId, failed);
    expect(detail).toMatchObject({ record_id: "ord_1", body_id: `${event}_evt_1` });
    expect(detail.attempts[0]?.request.body).toBe(world.transport.sent[0]?.body);
    const found = await service.deliveries.list(accountId, { q: `${event}_evt_1` }, { limit: 10 });
    expect(found.rows.map(({ body_id }) => body_id)).toEqual([`${event}_evt_1`, `${event}_evt_1`]);
    const samples = await service.eventTypes.samples(accountId, event, { limit: 10 });
    expect(samples.map(({ json }) => JSON.parse(json).id)).toEqual([`${event}_evt_2`, `${event}_evt_1`]);
  });

  it("is found by its record, with its resends, and does not hide it", async () => {
    await using opened = await openOrders(record);
    const { update, service, world } = opened;
    const { deliveries } = await update("evt_1", "one", "ORD_17a");
    await update("evt_2", "two", "ORD_17a");
    await update("evt_3", "one", "ord_18");
    await world.clock.advance(1_000);
    await service.deliveries.resend(accountId, deliveries[0] ?? "");
    await world.clock.advance(1_000);
    const search = async (q: string) => {
      const { rows } = await service.deliveries.list(accountId, { q }, { limit: 10 });
      const ofEvents = rows.filter(({ kind }) => kind === "event");
      expect(await service.deliveries.count(accountId, { q })).toMatchObject({ all: ofEvents.length });
      return rows.map(({ body_id: id, kind }) => `${id.replace(`${event}_`, "")} ${kind}`);
    };
    const ofOne = ["evt_1 resend", "evt_2 event", "evt_1 event"];
    expect(await search("ord_17A")).toEqual(ofOne);
    expect(await search("ord_17")).toEqual(ofOne);
    expect(await search("ord_1")).toEqual(["evt_1 resend", "evt_3 event", ...ofOne.slice(1)]);
    expect(await search("evt_1")).toEqual(["evt_1 resend", "evt_1 event"]);
    // The rest of a body id is the id of the event.
    expect(await search(`${event}_ord_17a`)).toEqual([]);
    const { records, deliveries: newest } = await service.search.account(accountId, "ord_17");
    expect(records.map(({ id, kind }) => [id, kind])).toEqual(
      record === undefined ? [] : [["ORD_17a", record]],
    );
    expect(newest.map(({ matched }) => matched)).toEqual(["record_id", "record_id", "record_id"]);
  });

  it("is found by the number of its order, also if too many have it to be named", async () => {
    await using opened = await openOrders(record);
    const { service, update } = opened;
    const search = async () => {
      const { rows } = await service.deliveries.list(accountId, { q: "#1001" }, { limit: 100 });
      expect(await service.deliveries.count(accountId, { q: "1001" })).toMatchObject({ all: rows.length });
      return rows.map(({ body_id: id }) => id.replace(`${event}_`, ""));
    };
    await update("evt_0", "one", "ord_17");
    await update("evt_1", "two", "ord_17");
    // Only orders have a number.
    const isOrder = record === "orders";
    expect(await search()).toEqual(isOrder ? ["evt_1", "evt_0"] : []);
    for (let number = 2; number < 12; number++) await update(`evt_${number}`, "more", "ord_17");
    expect(await search()).toHaveLength(isOrder ? 12 : 0);
    const { records } = await service.search.account(accountId, "1001");
    expect(records.map(({ id }) => id)).toEqual(isOrder ? ["ord_17"] : []);
  });

  it("is a duplicate with the same id, which changes nothing", async () => {
    await using opened = await openOrders(record);
    const { update, sent, service, world } = opened;
    await update(17, "one");
    await update("evt_2", "two");
    const again = await Promise.all([update("17", "other"), update("17", "other", "ord_2")]);
    for (const result of again)
      expect(result).toMatchObject({ id: `${event}_17`, duplicate: true, deliveries: [] });
    await world.clock.advance(1_000);
    expect(sent().map(({ data }) => data["step"])).toEqual(["one", "two"]);
    if (record !== undefined)
      expect(JSON.parse((await service.orders.get(accountId, "ord_1")).json)).toMatchObject({
        status: "two",
      });
  });

  it("with one id for two orders at once is sent once", async () => {
    await using opened = await openOrders(record);
    const results = await Promise.all([
      opened.update("evt_1", "one", "ord_1"),
      opened.update("evt_1", "one", "ord_2"),
    ]);
    expect(results.map(({ duplicate }) => duplicate)).toEqual([false, true]);
  });

  it("with the id of its record is the event of that record", async () => {
    await using opened = await openOrders(record);
    expect(await opened.update("ord_1", "one")).toMatchObject({ id: `${event}_ord_1`, duplicate: false });
    expect(await opened.update(undefined, "two")).toMatchObject({ id: `${event}_ord_1`, duplicate: true });
  });

  it("that a paused webhook missed is sent by a recovery as it was published", async () => {
    await using opened = await openOrders(record);
    const { update, sent, service, world } = opened;
    await service.webhooks.pause(accountId, opened.webhookId);
    for (const step of ["one", "two"]) await update(`evt_${step}`, step);
    await service.webhooks.resume(accountId, opened.webhookId);
    await world.clock.advance(1_000);
    const ended = await opened.finish(await opened.recover({ missed: true }));
    expect(ended).toMatchObject({ found: 2, resent: 2 });
    await world.clock.advance(1_000);
    expect(sent().map(({ id, data }) => [id, data["step"]])).toEqual([
      [`${event}_evt_one`, "one"],
      [`${event}_evt_two`, "two"],
    ]);
    const [row] = (await service.deliveries.list(accountId, {}, { limit: 1 })).rows;
    expect(row).toMatchObject({ record_id: "ord_1", body_id: `${event}_evt_two` });
  });

  it("goes with its record: what waits is cancelled, and nothing stays but the log", async () => {
    await using opened = await openOrders(record);
    const { update, service, world } = opened;
    world.transport.answerWith(() => answered(500));
    const { deliveries } = await update("evt_1", "one");
    await service.records.remove(accountId, record ?? event, "ord_1");
    await world.clock.advance(1_000);
    const [delivery = ""] = deliveries;
    expect(await service.deliveries.get(accountId, delivery)).toMatchObject({
      status: "cancelled",
      cancel_reason: "record_deleted",
    });
    for (const table of ["record", "record-list", "event-with-id", "event-of-record", "record-by-email"])
      expect(
        await world.store.list({ prefix: [partitionOf(accountId), table, accountId], limit: 9 }),
      ).toEqual([]);
    await expect(service.records.remove(accountId, record ?? event, "ord_1")).rejects.toMatchObject({
      code: "resource_not_found",
    });
    expect(await problemsOf(opened)).toEqual([]);
  });

  it("is forgotten after the retention, unless the log still shows it", async () => {
    await using opened = await openOrders(record);
    const { update, world } = opened;
    const { store, clock } = world;
    const laterMs = 2 * 60 * 60 * 1_000;
    const sweep = (publishedBefore: number, now = clock.now()) =>
      sweepEvents({ store, accountId, publishedBefore, now, pause: async () => {} });
    await update("evt_1", "one");
    await world.clock.advance(1_000);
    await sweep(clock.now());
    expect(await update("evt_1", "one")).toMatchObject({ duplicate: true });
    // The log is empty.
    const log = [partitionOf(accountId), "delivery", accountId] as const;
    const rows = await store.list({ prefix: log, limit: 10 });
    await store.commit(log[0], { mutations: rows.map(({ key }) => ({ type: "delete", key })) });
    await sweep(0, clock.now() + laterMs);
    expect(await update("evt_1", "one")).toMatchObject({ duplicate: true });
    await sweep(clock.now(), clock.now() + laterMs);
    expect(await store.list({ prefix: keys.eventsWithId(accountId), limit: 10 })).toEqual([]);
    expect(await update("evt_1", "one")).toMatchObject({ duplicate: false });
  });
});

it("an id is refused for an event of the specification, and in another form", async () => {
  await using opened = await openOrders("orders");
  const { service } = opened;
  const publish = (name: string, id: unknown) =>
    service.publish({ event: name, project_id: "site_1", id, data: { ...sample, id: "ord_1" } });
  await expect(publish("order.paid", "evt_1")).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringMatching(/^id: is only for events of your own\. order\.paid is known by data\.id/u),
  });
  for (const id of ["a b", "x".repeat(129), {}, true, 1.5])
    await expect(publish(event, id)).rejects.toMatchObject({
      message: "id: must be text of 1 to 128 printable characters without white space",
    });
  for (const id of [null, "", undefined])
    expect(await publish("order.paid", id)).toMatchObject({ id: "order.paid_ord_1" });
});
