import { verifySync } from "@hookwright/signature/node";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { ConfigurationError, createHookwright } from "../../src/index.ts";
import type { Order, OwnEvents } from "../../src/index.ts";
import { openSession } from "../support/open-session.ts";
import { openWorld } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { memory } from "./support/storages.ts";

const events = {
  "membership.expired": {
    schema: z.object({ id: z.string(), plan: z.string() }),
    sample: { id: "m_1", plan: "Gold" },
    description: "A membership has expired.",
  },
  "order.shipped": {
    schema: z.looseObject({ id: z.string() }),
    sample: order("ord_1"),
    description: "An order is shipped.",
    record: "orders",
  },
  "order.tracked": {
    schema: z.object({
      id: z.string(),
      total: z.string(),
      tracking: z.string(),
      parcels: z.array(z.object({ id: z.string() })).optional(),
    }),
    sample: { id: "ord_1", total: "9.00", tracking: "JD01" },
    description: "An order has a tracking number.",
    record: "orders",
  },
} as const;
const project_id = "site_1";

describe("events of the host", () => {
  it("are subscribed to, published, signed, resent, sampled, tested and described as the others", async () => {
    await using world = await openWorld(memory, { events });
    const { ask, host, hookwright } = world;
    const { id, secret } = await world.subscribe("membership.expired");
    const data = { id: "m_7", plan: "Silver" };
    const { data: published } = await world.publishEvent("membership.expired", data);
    const [first] = await world.deliveries(1, secret);
    const event = verifySync<{ "membership.expired": { id: string; plan: string } }>({
      body: first?.body ?? "",
      headers: first?.headers ?? {},
      secrets: secret,
    });
    if (event.event !== "membership.expired") throw new Error(event.event);
    expect([event.id, event.data.plan]).toEqual(["membership.expired_m_7", "Silver"]);

    const [delivery = ""] = published.deliveries;
    await expect.poll(() => world.statusOf(delivery)).toBe("delivered");
    const detail = await hookwright.deliveries.get("acc_1", delivery);
    expect(detail.attempts[0]?.request.body).toBe(first?.body);
    await hookwright.deliveries.resend("acc_1", delivery);
    expect((await world.deliveries(2, secret))[1]?.body).toBe(first?.body);
    const found = await hookwright.deliveries.list("acc_1", { q: "membership.expired_m_7" });
    expect(found.rows).toHaveLength(2);
    const samples = await ask("GET /v1/event-types/membership.expired/samples");
    expect(JSON.stringify(samples.rows[0])).toBe(first?.body);
    expect((await hookwright.webhooks.sendTest("acc_1", id)).status).toBe(204);
    expect(world.receiver.received[2]?.body).toContain('"plan":"Gold"');

    const types = await ask("GET /v1/event-types");
    expect(types.rows).toHaveLength(10);
    expect(types.rows).toEqual(hookwright.eventTypes.list());
    const { text } = await ask("GET /v1/openapi.json");
    expect(
      JSON.parse(text).webhooks["membership.expired"].post.requestBody.content["application/json"],
    ).toMatchObject({
      schema: { properties: { data: { properties: { plan: { type: "string" } } } } },
    });
    const token = await openSession(world.hookwright);
    for (const path of ["developer/v1", "console/api"]) {
      const described = await ask(`GET /${path}/event-types`, { token });
      expect(described.rows).toContainEqual(
        expect.objectContaining({
          event: "membership.expired",
          fields: [
            expect.objectContaining({ path: "id" }),
            expect.objectContaining({ path: "plan", type: "text", required: true, example: "Gold" }),
          ],
        }),
      );
    }
    const refused = await world.publishEvent("membership.expired", { id: "m_8" });
    expect(refused.error?.message).toMatch(/^data\.plan: /);
    const removed = await host("DELETE /host/v1/accounts/acc_1/records/membership.expired/m_7");
    expect(removed.status).toBe(200);
    expect((await ask("GET /v1/event-types/membership.expired/samples")).rows).toEqual([]);
  });

  it("share the record of an order, which is listed even if no other event named it", async () => {
    await using world = await openWorld(memory, { events });
    const { secret } = await world.subscribe("order.shipped");
    await world.publishEvent("order.shipped", order("ord_5", { status: "shipped" }));
    const [first] = await world.deliveries(1, secret);
    expect(JSON.parse(first?.body ?? "")).toMatchObject({
      event: "order.shipped",
      data: { status: "shipped" },
    });
    expect((await world.ask("GET /v1/orders")).rows).toMatchObject([{ id: "ord_5", status: "shipped" }]);
    await world.publishEvent("order.paid", order("ord_5"));
    expect((await world.ask("GET /v1/orders")).rows).toHaveLength(1);
    expect((await world.ask("GET /v1/contacts")).rows).toHaveLength(1);
  });

  it("with a record add their own fields to it, in every body", async () => {
    await using world = await openWorld(memory, { events });
    const { hookwright, receiver } = world;
    const { id: webhook, secret } = await world.subscribe("order.tracked");
    const data = {
      id: "ord_9",
      total: "9.00",
      tracking: "JD09",
      parcels: [{ id: "p_1" }],
      shipping_address: { street: "12 Byron Lane" },
    };
    const { data: published } = await world.publishEvent("order.tracked", { ...data, loyalty: 7 });
    expect(published).toMatchObject({ dropped: ["shipping_address.street", "loyalty"] });
    const own = { tracking: "JD09", parcels: [{ id: "p_1" }] };
    const [first] = await world.deliveries(1, secret);
    expect(JSON.parse(first?.body ?? "")).toMatchObject({ data: { id: "ord_9", total: 9, ...own } });

    // Another event changes the record, and its deliveries have no such fields.
    await world.subscribe("order.paid");
    await world.publishEvent("order.paid", order("ord_9"));
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(receiver.received[1]?.body).not.toContain("tracking");
    const [delivery = ""] = published.deliveries;
    await expect.poll(() => world.statusOf(delivery)).toBe("delivered");
    const detail = await hookwright.deliveries.get("acc_1", delivery);
    expect(detail.attempts[0]?.request.body).toBe(first?.body);
    await hookwright.deliveries.resend("acc_1", delivery);
    await expect.poll(() => receiver.received.length).toBe(3);
    const current = JSON.parse(receiver.received[2]?.body ?? "");
    expect(current).toMatchObject({ data: { total: order("ord_9").total, ...own } });
    const { rows } = await world.ask("GET /v1/event-types/order.tracked/samples");
    expect(rows).toEqual([current]);
    expect((await world.ask("GET /v1/orders/ord_9")).data).not.toHaveProperty("tracking");

    // A repeated event replaces its own fields. It sends nothing.
    const republished = { ...data, total: "9.00", tracking: "JD10", parcels: undefined };
    await world.publishEvent("order.tracked", republished, "site_1", {
      as_of: new Date(Date.now() + 60_000).toISOString(),
    });
    const [sample] = (await world.ask("GET /v1/event-types/order.tracked/samples")).rows;
    expect(sample).toMatchObject({ data: { total: 9, tracking: "JD10" } });
    expect(JSON.stringify(sample)).not.toContain("p_1");

    expect((await hookwright.webhooks.sendTest("acc_1", webhook)).status).toBe(204);
    expect(receiver.received.at(-1)?.body).toContain('"tracking":"JD01"');
    // The order of the sample is one whose total is text, as the schema wants it.
    const json = { event: "order.tracked", data: { tracking: "JD11" } };
    expect(await world.ask("POST /developer/v1/trigger", { json })).toMatchObject({
      status: 201,
      data: { event: "order.tracked" },
    });
    await hookwright.records.remove("acc_1", "orders", "ord_9");
    await expect(hookwright.deliveries.resend("acc_1", delivery)).rejects.toMatchObject({
      code: "resource_not_found",
    });
  });
});

const secret = "a secret of thirty-two characters";

async function open<const Own extends OwnEvents>(store: Store, own: Own, lines: unknown[] = []) {
  const write = (message: string, fields?: object): void => void lines.push({ message, ...fields });
  const logger = { debug: write, info: write, warn: write, error: write };
  const hookwright = await createHookwright({
    store,
    secret,
    events: own,
    logger,
    privateTargets: true,
    role: "api",
  });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1" });
  return hookwright;
}

it("a removed event is logged, its webhooks and deliveries stay, and its pending deliveries are still sent", async () => {
  await using store = memoryStore();
  await using world = await openWorld({
    name: "memory",
    open: async () => ({ store, close: async () => {} }),
  });
  const before = await open(store, events);
  const caller = { accountId: "acc_1", credential: { type: "console" } } as const;
  const target_url = `${world.receiver.origin}/x`;
  const { webhook } = await before.webhooks.create(caller, { event: "membership.expired", target_url });
  // The process that delivers, `world`, does not know the event.
  const { deliveries } = await before.publish({
    event: "membership.expired",
    project_id,
    data: { id: "m_1", plan: "x" },
  });
  await before.close();
  await expect.poll(() => world.receiver.received.length).toBe(1);
  expect(world.receiver.received[0]?.headers["x-service-event"]).toBe("membership.expired");

  const lines: unknown[] = [];
  await using after = await open(store, {}, lines);
  expect(lines).toContainEqual(
    expect.objectContaining({ code: "event_removed", event: "membership.expired", webhooks: 1 }),
  );
  expect((await after.webhooks.list("acc_1")).rows).toMatchObject([{ event: "membership.expired" }]);
  expect((await world.ask("GET /v1/webhooks")).rows).toHaveLength(1);
  const [delivery = ""] = deliveries;
  await expect.poll(async () => (await after.deliveries.get("acc_1", delivery)).status).toBe("delivered");
  expect((await after.deliveries.list("acc_1", { q: "membership.expired_m_1" })).rows).toHaveLength(1);
  await expect(after.webhooks.sendTest("acc_1", webhook.id)).rejects.toMatchObject({ code: "invalid_state" });
  expect((await after.deliveries.resend("acc_1", delivery)).kind).toBe("resend");
  await after.webhooks.remove("acc_1", webhook.id);
  const later: unknown[] = [];
  await (await open(store, {}, later)).close();
  expect(JSON.stringify(later)).not.toContain("event_removed");
});

it("a worker that does not know the event sends its own fields, as they were published last", async () => {
  await using store = memoryStore();
  await using world = await openWorld({
    name: "memory",
    open: async () => ({ store, close: async () => {} }),
  });
  await using publisher = await open(store, events);
  const caller = { accountId: "acc_1", credential: { type: "console" } } as const;
  const target_url = `${world.receiver.origin}/x`;
  await publisher.webhooks.create(caller, { event: "order.tracked", target_url });
  const data = { id: "ord_1", total: "9.00", tracking: "JD01" };
  const { deliveries } = await publisher.publish({ event: "order.tracked", project_id, data });
  await expect.poll(() => world.receiver.received.length).toBe(1);
  const [first] = world.receiver.received;
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ data: { total: 9, tracking: "JD01" } });
  await publisher.publish({ event: "order.tracked", project_id, data: { ...data, tracking: "JD02" } });
  await publisher.deliveries.resend("acc_1", deliveries[0] ?? "");
  await expect.poll(() => world.receiver.received.length).toBe(2);
  expect(world.receiver.received[1]?.body).toContain('"tracking":"JD02"');
});

it("the own fields of all events of a record are limited together", async () => {
  await using store = memoryStore();
  const loose = { ...events["order.shipped"], sample: { id: "ord_1", total: 1 } };
  await using hookwright = await open(store, { "order.packed": loose, "order.shipped": loose });
  const data = { id: "ord_1", total: 1, text: "x".repeat(200 * 1_024) };
  await hookwright.publish({ event: "order.packed", project_id, data });
  await expect(hookwright.publish({ event: "order.shipped", project_id, data })).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("too long together"),
  });
  await hookwright.publish({ event: "order.packed", project_id, data: { id: "ord_1", total: 1 } });
  await hookwright.publish({ event: "order.shipped", project_id, data });
});

it("invalid own events are refused at start, by name", async () => {
  const broken = {
    "order.paid": events["order.shipped"],
    "a.b": { ...events["membership.expired"], sample: {} },
  };
  const opening = createHookwright({ store: memoryStore(), secret, events: broken });
  await expect(opening).rejects.toBeInstanceOf(ConfigurationError);
  await expect(opening).rejects.toMatchObject({ options: ["events.order.paid", "events.a.b"] });
});

it("publish is typed by the option", async () => {
  await using store = memoryStore();
  await using hookwright = await open(store, events);
  const check = async (): Promise<void> => {
    // @ts-expect-error a plan is missing
    await hookwright.publish({ event: "membership.expired", project_id, data: { id: "m_1" } });
    // @ts-expect-error an order needs a total
    await hookwright.publish({ event: "order.shipped", project_id, data: { id: "ord_1" } });
    // @ts-expect-error there is no such event
    await hookwright.publish({ event: "order.lost", project_id, data: { id: "ord_1" } });
    await hookwright.publish({ event: "order.paid", project_id, data: { id: "ord_1", total: 1 } });
    const { data } = await hookwright.validateEvent({ event: "order.shipped", project_id, data: {} });
    expectTypeOf(data).toEqualTypeOf<Order>();
    const tracked = await hookwright.validateEvent({ event: "order.tracked", project_id, data: {} });
    expectTypeOf(tracked.data.tracking).toEqualTypeOf<string>();
    expectTypeOf(tracked.data.total).toEqualTypeOf<number>();
  };
  expectTypeOf(check).toBeFunction();
});
