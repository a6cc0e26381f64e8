import { eventCatalogue } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { hostEvents, siteTimeZone } from "../../../domain/test/support/host-events.ts";
import type { OrderRepository, SiteOrder } from "../../src/index.ts";
import { openWorld } from "./support/open-world.ts";
import type { World } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { memory, storages } from "./support/storages.ts";

interface Published {
  readonly id: string;
  readonly duplicate: boolean;
  readonly adjusted: readonly string[];
  readonly error?: { readonly message: string };
}

interface Sample {
  readonly id: string;
  readonly data: object;
}

async function publish(world: World, event: object): Promise<Published> {
  return JSON.parse((await world.host("POST /host/v1/events", event)).text).data;
}

async function orderNow(world: World, id: string): Promise<{ status: string; note: string | null }> {
  return JSON.parse((await world.ask(`GET /v1/orders/${encodeURIComponent(id)}`)).text).data;
}

describe("the host's events", () => {
  it("are stored in every shape that shops send, and the result names adjusted fields", async () => {
    await using world = await openWorld(memory, { rateLimitPerMinute: 1_000_000 });
    await world.hookwright.projects.put("site_1", { timezone: siteTimeZone });
    // Sent as JSON, each as a separate record.
    const sent = hostEvents.map(({ event, data }, index) => {
      const json = JSON.parse(JSON.stringify(data));
      const { id } = eventCatalogue[event].sampleData;
      return { event, project_id: "site_1", data: json.id === id ? { ...json, id: `${id}_${index}` } : json };
    });
    const answers: Published[] = JSON.parse((await world.host("POST /host/v1/events", sent)).text).data;
    const samples = new Map<string, Sample>();
    for (const [index, { name, event, adjusted, becomes = {}, refused }] of hostEvents.entries()) {
      const answer = answers[index];
      if (refused !== undefined) {
        expect([name, answer?.error?.message]).toEqual([name, refused]);
        continue;
      }
      expect([name, answer?.error]).toEqual([name, undefined]);
      const isJson = !/Date|decimal library|minus zero/u.test(name);
      if (adjusted !== undefined && isJson) expect([name, answer?.adjusted]).toEqual([name, adjusted]);
      const { id } = sent[index]?.data ?? {};
      expect([name, answer?.id]).toEqual([name, `${event}_${id}`]);
      if (eventCatalogue[event].kind === "orders") {
        const { id: _, created_at: now, ...rest }: Record<string, unknown> = { ...becomes };
        const path = `GET /v1/orders/${encodeURIComponent(String(id))}`;
        const { status, data: stored } = await world.ask(path);
        expect([name, status, stored]).toMatchObject([name, 200, rest]);
        // A missing or unreadable time becomes the time of the test.
        if (now !== "2026-11-27T12:00:00Z")
          expect([name, stored]).toMatchObject([name, now === undefined ? {} : { created_at: now }]);
      } else samples.set(answer?.id ?? "", { id: name, data: becomes });
    }
    const found: string[] = [];
    for (const event of new Set(hostEvents.map((each) => each.event))) {
      const { rows } = await world.ask(`GET /v1/event-types/${event}/samples`);
      for (const row of rows.filter(({ id }) => samples.has(id))) {
        found.push(row.id);
        expect(row).toMatchObject({ data: samples.get(row.id)?.data });
      }
    }
    expect(found.toSorted()).toEqual([...samples.keys()].toSorted());
  });

  it("never restore an older state: a repeated order.created leaves a paid order paid", async () => {
    await using world = await openWorld(memory);
    const { secret } = await world.subscribe("order.paid");
    const created = {
      event: "order.created",
      project_id: "site_1",
      data: order("ord_1", { status: "pending" }),
    };
    const paid = { event: "order.paid", project_id: "site_1", data: order("ord_1", { status: "paid" }) };
    await publish(world, created);
    world.receiver.answerWith(500);
    await publish(world, paid);
    await world.deliveries(1, secret);
    world.receiver.answerWith(204);
    expect(await publish(world, created)).toMatchObject({ duplicate: true });
    expect(await orderNow(world, "ord_1")).toMatchObject({ status: "paid" });
    const received = await world.deliveries(2, secret);
    expect(received.map(({ body }) => JSON.parse(body).data.status)).toEqual(["paid", "paid"]);
    // The same event again updates the record.
    await publish(world, { ...paid, data: order("ord_1", { status: "refunded" }) });
    expect(await orderNow(world, "ord_1")).toMatchObject({ status: "refunded" });
  });

  it("are ordered by as_of: an older snapshot never replaces a newer one", async () => {
    await using world = await openWorld(memory);
    const { secret } = await world.subscribe("order.created");
    const at = (event: string, as_of: string, note: string) =>
      publish(world, { event, project_id: "site_1", as_of, data: order("ord_1", { note }) });
    await at("order.paid", "2026-11-20T10:00:00Z", "second");
    await at("order.created", "2026-11-20T09:00:00Z", "first");
    expect(await orderNow(world, "ord_1")).toMatchObject({ note: "second" });
    const [delivery] = await world.deliveries(1, secret);
    expect(JSON.parse(delivery?.body ?? "{}")).toMatchObject({
      id: "order.created_ord_1",
      data: { note: "second" },
    });
    await at("order.created", "2026-11-20T10:00:00Z", "third");
    expect(await orderNow(world, "ord_1")).toMatchObject({ note: "third" });
    const refused = await world.publishEvent("order.paid", order("ord_1"), "site_1", { as_of: "soon" });
    expect(refused.error?.message).toBe("as_of: must be a time, such as 2026-11-20T09:30:00Z");
  });

  it("keep the creation time of a record if a later event has none", async () => {
    await using world = await openWorld(memory);
    const data = { id: "ord_1", total: 1 };
    await publish(world, { event: "order.created", project_id: "site_1", data });
    const first = await orderNow(world, "ord_1");
    world.advance(3_600_000);
    expect(
      await publish(world, { event: "order.paid", project_id: "site_1", data: { ...data, status: "paid" } }),
    ).toMatchObject({ duplicate: false });
    expect(await orderNow(world, "ord_1")).toEqual({ ...first, status: "paid" });
  });

  it("keep their order if one of them needs the time zone of its site", async () => {
    await using world = await openWorld(memory);
    const publishOne = (event: "order.created" | "order.paid", status: string, created_at?: string) =>
      world.hookwright.publish({
        event,
        project_id: "site_1",
        data: { id: "ord_1", total: 1, status, created_at },
      });
    for (const _ of [1, 2]) {
      await Promise.all([
        publishOne("order.created", "pending", "2026-11-20 10:30"),
        publishOne("order.paid", "paid"),
      ]);
      expect(await orderNow(world, "ord_1")).toMatchObject({
        status: "paid",
        created_at: "2026-11-20T10:30:00Z",
      });
      await world.hookwright.records.remove("acc_1", "orders", "ord_1");
    }
  });

  it("never reactivate an unsubscribed subscriber, and never remove tags", async () => {
    await using world = await openWorld(memory);
    const event = {
      event: "subscriber.created",
      project_id: "site_1",
      data: { id: "7", email: "ada@example.com", status: "active", tags: ["a"] },
    };
    await publish(world, event);
    const path = "PUT /host/v1/projects/site_1/subscribers/ada@example.com";
    const { data } = await world.host(path, { status: "unsubscribed", tags: ["b"] });
    expect(data).toMatchObject({ status: "unsubscribed", tags: ["a", "b"] });
    expect(await publish(world, event)).toMatchObject({ duplicate: true });
    const json = { project_id: "site_1", email: "ada@example.com", tags: ["c"] };
    expect((await world.ask("POST /v1/subscribers", { json })).data).toMatchObject({
      status: "unsubscribed",
      tags: ["a", "b", "c"],
    });
    await publish(world, event);
    expect((await world.host(path, {})).data).toMatchObject({
      status: "unsubscribed",
      tags: ["a", "b", "c"],
    });
  });

  it("add a contact only if there is an e-mail address", async () => {
    await using world = await openWorld(memory);
    for (const [id, customer] of [
      ["1", { name: "Walk-in" }],
      ["2", { name: "Ada", email: "at the till" }],
      ["3", null],
      ["4", { name: "Grace", email: " Grace@Example.com " }],
    ] as const)
      expect(
        await publish(world, { event: "order.paid", project_id: "site_1", data: { id, total: 1, customer } }),
      ).toMatchObject({ id: `order.paid_${id}` });
    const { rows } = await world.ask("GET /v1/contacts");
    expect(rows).toMatchObject([{ email: "grace@example.com", name: "Grace" }]);
  });

  it("may be about subscribers without an address, who can get one later", async () => {
    await using world = await openWorld(memory);
    const subscribe = (email: string | null, id = 7) =>
      publish(world, { event: "subscriber.created", project_id: "site_1", data: { id, email, name: "Ada" } });
    expect(await subscribe(null)).toMatchObject({ id: "subscriber.created_7", duplicate: false });
    expect(await subscribe("not yet")).toMatchObject({ duplicate: true });
    expect(await subscribe("Ada@example.com")).toMatchObject({ duplicate: true });
    const known = await world.ask("POST /v1/subscribers", {
      json: { project_id: "site_1", email: "ada@example.com", name: "Other" },
    });
    expect([known.status, known.data]).toMatchObject([200, { id: "7", name: "Ada" }]);
    await subscribe(null);
    const fresh = await world.ask("POST /v1/subscribers", {
      json: { project_id: "site_1", email: "ada@example.com" },
    });
    expect(fresh.status).toBe(201);
    await subscribe("ada@example.com", 8);
    expect((await world.host("DELETE /host/v1/accounts/acc_1/records/subscribers/7")).status).toBe(200);
  });

  it.each(storages)("are found on $name by texts that are longer than a key can be", async (storage) => {
    await using world = await openWorld(storage, { rateLimitPerMinute: 1_000_000 });
    const long = {
      number: "é".repeat(1_500),
      status: "s".repeat(1_500),
      email: `${"x".repeat(1_500)}@example.com`,
    };
    const data = {
      ...order("gid://shop/Order/1?a=b#c%"),
      number: long.number,
      status: long.status,
      customer: { email: long.email },
    };
    await publish(world, { event: "order.created", project_id: "site_1", data });
    await publish(world, {
      event: "order.created",
      project_id: "site_1",
      data: { ...data, id: "2", number: `${long.number}!` },
    });
    for (const [name, value] of Object.entries(long)) {
      const { rows } = await world.ask(`GET /v1/orders?${name}=${encodeURIComponent(value)}`);
      expect(rows.map(({ id }) => id)).toEqual(name === "number" ? [data.id] : ["2", data.id]);
    }
    expect(await orderNow(world, data.id)).toMatchObject({ number: long.number });
    const remove = `DELETE /host/v1/accounts/acc_1/records/orders/${encodeURIComponent(data.id)}`;
    expect((await world.host(remove)).status).toBe(200);
    expect((await world.ask(`GET /v1/orders?number=${encodeURIComponent(long.number)}`)).rows).toEqual([]);
  });
});

describe("orders in the host's own repository", () => {
  /** One order, which the host changes and removes. */
  function openRepository(): OrderRepository & { now: SiteOrder | undefined | Error } {
    return {
      now: { project_id: "site_1", data: order("ord_1") },
      get() {
        if (this.now instanceof Error) throw this.now;
        return this.now;
      },
      list: () => [],
    };
  }
  it("are sent in their state at the time of sending", async () => {
    const orders = openRepository();
    await using world = await openWorld(memory, { orders });
    const { secret } = await world.subscribe("order.created");
    world.receiver.answerWith(500);
    const release = world.receiver.hold();
    await world.hookwright.publish({ event: "order.created", project_id: "site_1", data: order("ord_1") });
    await world.deliveries(1, secret);
    orders.now = { project_id: "site_1", data: order("ord_1", { status: "paid" }) };
    release();
    const received = await world.deliveries(2, secret);
    expect(received.slice(0, 2).map(({ body }) => JSON.parse(body).data.status)).toEqual(["pending", "paid"]);
    const { rows } = await world.hookwright.deliveries.list("acc_1", {});
    // An attempt is recorded after the receiver has answered it.
    await expect
      .poll(async () => {
        const { attempts } = await world.hookwright.deliveries.get("acc_1", rows[0]?.id ?? "");
        return attempts.slice(0, 2).map(({ request }) => request.body);
      })
      .toEqual(received.slice(0, 2).map(({ body }) => body));
  });

  it("are not sent after the host removed them", async () => {
    const orders = openRepository();
    orders.now = undefined;
    await using world = await openWorld(memory, { orders });
    await world.subscribe("order.created");
    const { deliveries } = await world.hookwright.publish({
      event: "order.created",
      project_id: "site_1",
      data: order("ord_1"),
    });
    await expect
      .poll(async () => (await world.hookwright.deliveries.get("acc_1", deliveries[0] ?? "")).status)
      .toBe("cancelled");
    expect(world.receiver.received).toEqual([]);
  });

  it("share one call of the repository, and get the published time if they have none", async () => {
    const orders = openRepository();
    const { created_at, ...timeless } = order("ord_1");
    let calls = 0;
    const get: OrderRepository["get"] = () => {
      calls += 1;
      return new Promise((resolve) => setImmediate(resolve, { project_id: "site_1", data: timeless }));
    };
    await using world = await openWorld(memory, { orders: { ...orders, get } });
    for (const path of ["/a", "/b", "/c", "/d"]) await world.subscribe("order.created", path);
    await world.hookwright.publish({ event: "order.created", project_id: "site_1", data: order("ord_1") });
    await expect.poll(() => world.receiver.received.length).toBe(4);
    expect(calls).toBeLessThan(4);
    expect(new Set(world.receiver.received.map(({ body }) => JSON.parse(body).data.created_at))).toEqual(
      new Set([created_at]),
    );
    expect(await world.hookwright.orders.get("acc_1", "ord_1")).toMatchObject({ created_at });
  });

  it.each([
    ["the repository is unavailable", new Error("the database is unavailable")],
    ["the repository returns another order", { project_id: "site_1", data: order("ord_2") }],
    ["the repository returns an order of another site", { project_id: "site_2", data: order("ord_1") }],
  ])("are sent as published if %s, and the log says so", async (_, now) => {
    const orders = openRepository();
    orders.now = now;
    const lines: string[] = [];
    const log = (...line: unknown[]): void => void lines.push(JSON.stringify(line));
    await using world = await openWorld(memory, { orders, logger: { info: log, warn: log, error: log } });
    const { secret } = await world.subscribe("order.created");
    await world.hookwright.publish({
      event: "order.created",
      project_id: "site_1",
      data: order("ord_1", { note: "as published" }),
    });
    const [delivery] = await world.deliveries(1, secret);
    expect(JSON.parse(delivery?.body ?? "{}").data.note).toBe("as published");
    expect(lines.join("\n")).toMatch(/the database is unavailable|orders\.get/u);
  });
});
