import { eventNames, sampleDeliveryBody } from "@hookwright/domain";
import { verifySync } from "@hookwright/signature/node";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import type { EventStream } from "./support/event-stream.ts";
import { openSession } from "../support/open-session.ts";
import { openWorld } from "./support/open-world.ts";
import type { World } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { memory, storages } from "./support/storages.ts";

const minuteMs = 60_000;

async function listen(world: World, json: object = {}, token = world.key) {
  const { status, data } = await world.ask("POST /developer/v1/listeners", { json, token });
  expect(status).toBe(201);
  return { id: data.id, secret: data.signing_secret };
}

function stream(world: World, listenerId: string, lastEventId?: string): Promise<EventStream> {
  return openEventStream({ origin: world.origin, token: world.key, listenerId, lastEventId });
}

async function publish(world: World, id: string, event = "order.created", project_id = "site_1") {
  const { data } = await world.publishEvent(event, order(id), project_id);
  return data;
}

function bodyIdsOf({ deliveries }: EventStream): string[] {
  return deliveries.map(({ body }) => JSON.parse(body).id);
}

describe.each(storages)("on $name, a listener", (storage) => {
  it("gets the bytes and headers that a webhook gets, signed with its own secret", async () => {
    await using world = await openWorld(storage);
    const webhook = await world.subscribe("order.created");
    const { id, secret } = await listen(world);
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    await using events = await stream(world, id);
    expect(Object.fromEntries(events.response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    const published = await publish(world, "ord_1");
    const [received] = await world.deliveries(1, webhook.secret);
    await expect.poll(() => events.deliveries.length).toBe(1);
    const [delivery] = events.deliveries;
    if (delivery === undefined || received === undefined) throw new Error("nothing arrived");
    expect(delivery.body).toBe(received.body);
    verifySync({ headers: delivery.headers, body: delivery.body, secrets: secret });
    expect(delivery.headers["X-Service-Delivery"]).toBe(delivery.id);
    expect(published.deliveries).toEqual([received.headers["x-service-delivery"]]);
    const names = Object.keys(delivery.headers).map((name) => name.toLowerCase());
    const framing = new Set(["host", "connection", "content-length", "accept", "accept-encoding"]);
    expect(names.toSorted()).toEqual(
      Object.keys(received.headers)
        .filter((name) => !framing.has(name))
        .toSorted(),
    );
    expect(delivery.headers).not.toHaveProperty("X-Service-Test");
    expect((await world.ask("GET /developer/v1/deliveries")).rows).toHaveLength(1);
  });

  it("gets the headers of Standard Webhooks, the prefix and the form of the server", async () => {
    await using world = await openWorld(storage, {
      standardWebhooks: true,
      headerPrefix: "X-Acme",
      bodyForm: "standard",
    });
    const { status, data } = await world.ask("POST /developer/v1/listeners", { json: {} });
    expect([status, data]).toMatchObject([
      201,
      { standard_signing_secret: expect.stringMatching(/^whsec_[\w+/]+=*$/u) },
    ]);
    await using events = await stream(world, data.id);
    await publish(world, "ord_1");
    await expect.poll(() => events.deliveries.length).toBe(1);
    const [{ headers, body } = { headers: {}, body: "" }] = events.deliveries;
    const verified = new Webhook(data.standard_signing_secret).verify(body, headers);
    expect(verified).toMatchObject({ type: "order.created", id: "order.created_ord_1" });
    const ours = { headers, body, secrets: data.signing_secret, headerPrefix: "X-Acme" };
    expect(verifySync(ours).id).toBe("order.created_ord_1");
  });

  it("gets only its events and its site, and nothing for a repeated publish", async () => {
    await using world = await openWorld(storage);
    const orders = await listen(world, { events: ["order.*"], project_id: "site_1" });
    const everything = await listen(world);
    await using one = await stream(world, orders.id);
    await using all = await stream(world, everything.id);
    await publish(world, "ord_1");
    await publish(world, "ord_1");
    await publish(world, "ord_2", "order.created", "site_2");
    const { data: review } = sampleDeliveryBody("review.submitted");
    await world.publishEvent("review.submitted", review);
    await publish(world, "ord_1", "order.paid");
    await expect.poll(() => bodyIdsOf(one)).toEqual(["order.created_ord_1", "order.paid_ord_1"]);
    await expect
      .poll(() => bodyIdsOf(all).toSorted())
      .toEqual(
        [
          "order.created_ord_1",
          "order.created_ord_2",
          `review.submitted_${review.id}`,
          "order.paid_ord_1",
        ].toSorted(),
      );
  });

  it("continues after a dropped connection without a gap", async () => {
    await using world = await openWorld(storage);
    const { id, secret } = await listen(world);
    await publish(world, "ord_0");
    const first = await stream(world, id);
    await expect.poll(() => bodyIdsOf(first)).toEqual(["order.created_ord_0"]);
    first.drop();
    await first.ended;
    const wanted = Array.from({ length: 30 }, (_, index) => `order.created_ord_${index + 1}`);
    await Promise.all(wanted.map((_, index) => publish(world, `ord_${index + 1}`)));
    const lastEventId = first.deliveries[0]?.id;
    await using second = await stream(world, id, lastEventId);
    await expect.poll(() => second.deliveries.length).toBe(30);
    expect(bodyIdsOf(second).toSorted()).toEqual(wanted.toSorted());
    for (const { headers, body } of second.deliveries) verifySync({ headers, body, secrets: secret });
    // From the middle, in the same order.
    await using third = await stream(world, id, second.deliveries[9]?.id);
    await expect.poll(() => third.deliveries.length).toBe(20);
    expect(bodyIdsOf(third)).toEqual(bodyIdsOf(second).slice(10));
  });

  it("is removed ten minutes after its last reader left, and not while it has one", async () => {
    await using world = await openWorld(storage);
    const { id } = await listen(world);
    world.advance(9 * minuteMs);
    const events = await stream(world, id);
    world.advance(9 * minuteMs);
    events.drop();
    await events.ended;
    await expect
      .poll(async () => (await world.ask(`HEAD /developer/v1/listeners/${id}/events`)).status)
      .toBe(200);
    world.advance(9.9 * minuteMs);
    const again = await stream(world, id);
    expect(again.response.status).toBe(200);
    again.drop();
    await again.ended;
    // The server notices the end a moment later.
    await expect
      .poll(async () => {
        world.advance(11 * minuteMs);
        return (await world.ask(`GET /developer/v1/listeners/${id}/events`)).status;
      })
      .toBe(404);
    expect((await publish(world, "ord_1")).deliveries).toEqual([]);
  });

  it("is one of at most ten of its account, even with concurrent requests", async () => {
    await using world = await openWorld(storage);
    const made = await Promise.all(
      Array.from({ length: 12 }, () => world.ask("POST /developer/v1/listeners", { json: {} })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, error }) => [status, error?.code])).toEqual([
      [409, "invalid_state"],
      [409, "invalid_state"],
    ]);
    const one = made.find(({ status }) => status === 201);
    const removed = await world.ask(`DELETE /developer/v1/listeners/${one?.data.id}`);
    expect([removed.status, removed.data]).toEqual([200, { id: one?.data.id, deleted: true }]);
    await listen(world);
    world.advance(10 * minuteMs + 1);
    await listen(world);
  });

  it("ends its streams when it is deleted", async () => {
    await using world = await openWorld(storage);
    const { id } = await listen(world);
    await using events = await stream(world, id);
    await expect.poll(() => events.comments).toEqual(["listening"]);
    await world.ask(`DELETE /developer/v1/listeners/${id}`);
    await events.ended;
    const again = await world.ask(`DELETE /developer/v1/listeners/${id}`);
    expect([again.status, again.error?.code]).toEqual([404, "resource_not_found"]);
  });

  it("loses its stream when its key is revoked, and gets nothing that happens later", async () => {
    await using world = await openWorld(storage);
    const key = await world.hookwright.apiKeys.create("acc_1", { name: "other" });
    const { id: listenerId } = await listen(world, {}, key.api_key);
    const { origin } = world;
    await using events = await openEventStream({ origin, listenerId, token: key.api_key });
    await publish(world, "ord_1");
    await expect.poll(() => events.deliveries.length).toBe(1);
    await world.hookwright.apiKeys.revoke(key.id);
    await publish(world, "ord_2");
    await events.ended;
    expect(bodyIdsOf(events)).toEqual(["order.created_ord_1"]);
  });

  it("gets triggered events of every kind, marked as tests, and no webhook gets them", async () => {
    await using world = await openWorld(storage);
    await world.subscribe("order.created");
    const { id, secret } = await listen(world, { events: ["order.created", "review.submitted"] });
    await using events = await stream(world, id);
    for (const event of eventNames) {
      const { status, data } = await world.ask("POST /developer/v1/trigger", { json: { event } });
      expect([status, data]).toEqual([
        201,
        {
          id: expect.stringMatching(new RegExp(`^${event}_test_`, "u")),
          event,
          listeners: event === "order.created" || event === "review.submitted" ? 1 : 0,
        },
      ]);
    }
    const changed = await world.ask("POST /developer/v1/trigger", {
      json: {
        event: "order.created",
        project_id: "site_2",
        data: { id: "ord_9", customer: { email: "eve@example.com" }, items: [] },
      },
    });
    expect(changed.data.id).toBe("order.created_ord_9");
    await expect.poll(() => events.deliveries.length).toBe(3);
    for (const { headers, body } of events.deliveries) {
      verifySync({ headers, body, secrets: secret });
      expect(headers["X-Service-Test"]).toBe("1");
    }
    const { data: sample } = sampleDeliveryBody("order.created");
    const { project, data } = JSON.parse(events.deliveries[2]?.body ?? "");
    expect(project).toMatchObject({ id: "site_2", timezone: "Asia/Tokyo" });
    expect(data.customer).toEqual({ ...sample.customer, email: "eve@example.com" });
    expect(data.items).toEqual([]);
    expect(data.total).toBe(sample.total);
    expect(world.receiver.received).toEqual([]);
    const invalid = await world.ask("POST /developer/v1/trigger", {
      json: { event: "order.created", data: { total: "much" } },
    });
    expect([invalid.status, invalid.error?.message]).toEqual([422, expect.stringContaining("data.total")]);
  });

  it("accepts the results of its deliveries, which are shown beside the webhook's delivery of the event", async () => {
    await using world = await openWorld(storage);
    await world.subscribe("order.created");
    const { id } = await listen(world);
    await using events = await stream(world, id);
    const { deliveries } = await publish(world, "ord_1");
    await expect.poll(() => events.deliveries.length).toBe(1);
    const path = `POST /developer/v1/listeners/${id}/events/${events.deliveries[0]?.id}/result`;
    const reported = await world.ask(path, { json: { status: 204, duration_ms: 12.5 } });
    expect([reported.status, reported.data]).toMatchObject([
      200,
      { status: 204, duration_ms: 12.5, error: null },
    ]);
    const failed = await world.ask(path, { json: { status: null, duration_ms: 3, error: "ECONNREFUSED" } });
    expect(failed.data).toMatchObject({ status: null, error: "ECONNREFUSED" });
    const shown = await world.hookwright.deliveries.get("acc_1", deliveries[0] ?? "");
    expect(shown.listener_results).toEqual([failed.data]);
    const unknown = await world.ask(`POST /developer/v1/listeners/${id}/events/dlv_x/result`, {
      json: { status: 200, duration_ms: 1 },
    });
    expect(unknown.error?.code).toBe("resource_not_found");
  });

  it("reports only on events that it hears, and a triggered event of a real record stays apart", async () => {
    await using world = await openWorld(storage);
    await world.subscribe("order.created");
    const { id } = await listen(world);
    const deaf = await listen(world, { events: ["review.*"] });
    await using events = await stream(world, id);
    const { deliveries } = await publish(world, "ord_1");
    const json = { event: "order.created", data: { id: "ord_1" } };
    await world.ask("POST /developer/v1/trigger", { json });
    await expect.poll(() => events.deliveries.length).toBe(2);
    const [published, triggered] = events.deliveries.map((delivery) => delivery.id);
    const report = (listener: string, delivery: string | undefined) =>
      world.ask(`POST /developer/v1/listeners/${listener}/events/${delivery}/result`, {
        json: { status: 204, duration_ms: 1 },
      });
    expect((await report(deaf.id, published)).error?.code).toBe("resource_not_found");
    expect((await report(id, triggered)).status).toBe(200);
    const shown = await world.hookwright.deliveries.get("acc_1", deliveries[0] ?? "");
    expect(shown.listener_results).toEqual([]);
  });
});

describe("a listener", () => {
  it("gets a triggered event as an ordinary delivery if asked, with a new id each time, and nothing is logged", async () => {
    await using world = await openWorld(memory);
    await world.subscribe("order.created");
    const { id, secret } = await listen(world);
    await using events = await stream(world, id);
    const trigger = (json: object) =>
      world.ask("POST /developer/v1/trigger", { json: { event: "order.created", test: false, ...json } });
    for (const json of [{}, {}, { data: { id: "ord_9" } }]) expect((await trigger(json)).status).toBe(201);
    await expect.poll(() => events.deliveries.length).toBe(3);
    for (const { headers, body } of events.deliveries) {
      expect(verifySync({ headers, body, secrets: secret })).not.toHaveProperty("test");
      expect(Object.keys(headers)).not.toContain("X-Service-Test");
    }
    const ids = bodyIdsOf(events);
    expect(ids).toEqual([
      expect.stringMatching(/^order\.created_ord_[0-9a-f]{32}$/u),
      expect.stringMatching(/^order\.created_ord_[0-9a-f]{32}$/u),
      "order.created_ord_9",
    ]);
    expect(new Set(ids).size).toBe(3);
    expect(world.receiver.received).toEqual([]);
    expect((await world.ask("GET /v1/orders")).rows).toEqual([]);
    expect((await world.ask("GET /developer/v1/deliveries")).rows).toEqual([]);
  });

  it("gets no triggered event with fields that it does not have, if they are refused", async () => {
    await using world = await openWorld(memory);
    const trigger = (data: object) =>
      world.ask("POST /developer/v1/trigger", { json: { event: "order.created", strict: true, data } });
    expect((await trigger({ total: 10, customer: { name: "Ada" }, items: [{ name: "Bun" }] })).status).toBe(
      201,
    );
    const refused = await trigger({ totl: 10, customer: { emial: "a@b.c" }, items: [{ naem: "Bun" }] });
    expect([refused.status, refused.error?.code]).toEqual([422, "validation_failed"]);
    expect(refused.error?.message.split("; ")).toEqual([
      "data.customer.emial: is not a field of order.created (did you mean email?). The fields are: name, email, phone",
      expect.stringMatching(
        /^data\.items\.0\.naem: is not a field of order\.created \(did you mean name\?\)/u,
      ),
      expect.stringMatching(
        /^data\.totl: is not a field of order\.created \(did you mean total\?\)\. The fields are: id, number, .*, created_at$/u,
      ),
    ]);
  });
});

describe("the developer API", () => {
  it("refuses other accounts' sites, unknown events, unknown listeners and demo accounts", async () => {
    await using world = await openWorld(memory);
    const { ask } = world;
    const post = async (path: string, json: object, token?: string) => {
      const { status, error } = await ask(`POST /developer/v1/${path}`, {
        json,
        ...(token === undefined ? {} : { token }),
      });
      return [status, error?.code];
    };
    expect(await post("listeners", { project_id: "site_x" })).toEqual([422, "invalid_project"]);
    expect(await post("trigger", { event: "order.paid", project_id: "site_x" })).toEqual([
      422,
      "invalid_project",
    ]);
    expect(await post("listeners", { events: ["order.shipped"] })).toEqual([422, "unknown_event"]);
    expect(await post("listeners", { events: ["ord.*"] })).toEqual([422, "unknown_event"]);
    expect(await post("trigger", { event: "order.*" })).toEqual([422, "unknown_event"]);
    expect(await post("trigger", {})).toEqual([422, "validation_failed"]);
    expect((await ask("GET /developer/v1/listeners/lsn_x/events")).status).toBe(404);
    expect((await ask("GET /developer/v1/webhooks", { token: null })).error?.code).toBe("missing_api_key");
    await world.hookwright.accounts.put("acc_demo", {
      name: "Demo",
      email: "demo@example.com",
      timezone: "UTC",
      demo: true,
    });
    const { api_key: demo } = await world.hookwright.apiKeys.create("acc_demo", { name: "demo" });
    for (const path of ["listeners", "trigger", "listeners/lsn_x/events/dlv_x/result"])
      expect(await post(path, {}, demo)).toEqual([403, "read_only_demo"]);
    const { id } = await listen(world);
    await world.hookwright.accounts.put("acc_2", { name: "Two", email: "two@example.com", timezone: "UTC" });
    const { api_key: other } = await world.hookwright.apiKeys.create("acc_2", { name: "other" });
    expect((await ask(`DELETE /developer/v1/listeners/${id}`, { token: other })).status).toBe(404);
  });

  it("shows a key the webhooks that it created and their deliveries, and a console token all", async () => {
    await using world = await openWorld(memory);
    const { ask, hookwright } = world;
    const token = await openSession(world.hookwright);
    const { api_key: second } = await hookwright.apiKeys.create("acc_1", { name: "second" });
    const create = async (path: string, event: string, key: string) =>
      (
        await ask("POST /v1/webhooks", {
          token: key,
          json: { event, target_url: `${world.receiver.origin}/${path}` },
        })
      ).data.id;
    const own = [
      await create("a", "order.created", world.key),
      await create("b", "order.paid", world.key),
      await create("c", "order.created", world.key),
    ];
    const foreign = await create("d", "order.created", second);
    const ids: string[] = [];
    for (const [event, record] of [
      ["order.created", "ord_1"],
      ["order.paid", "ord_1"],
      ["order.created", "ord_2"],
    ] as const)
      ids.push(...(await publish(world, record, event)).deliveries);
    expect(ids).toHaveLength(7);
    await expect.poll(() => world.receiver.received.length).toBe(7);

    const shown = async (target: string, key: string) =>
      (await ask(target, { token: key })).rows.map(({ id }) => id);
    expect((await shown("GET /developer/v1/webhooks", world.key)).toSorted()).toEqual(own.toSorted());
    expect(await shown("GET /developer/v1/webhooks", second)).toEqual([foreign]);
    expect(await shown("GET /developer/v1/webhooks", token)).toHaveLength(4);
    await expect.poll(() => shown("GET /developer/v1/deliveries", token)).toHaveLength(7);
    const foreignIds = await shown("GET /developer/v1/deliveries", second);
    expect(foreignIds).toHaveLength(2);
    const ownIds = ids
      .filter((id) => !foreignIds.includes(id))
      .toSorted()
      .toReversed();
    expect(await shown("GET /developer/v1/deliveries", world.key)).toEqual(ownIds);
    const paged: string[] = [];
    for (let cursor = ""; ;) {
      const { rows, meta } = await ask(`GET /developer/v1/deliveries?limit=2${cursor}`);
      paged.push(...rows.map(({ id }) => id));
      if (meta.next_cursor === null) break;
      cursor = `&cursor=${meta.next_cursor}`;
    }
    expect(paged).toEqual(ownIds);
    expect(await shown(`GET /developer/v1/deliveries?webhook_id=${foreign}`, world.key)).toEqual([]);
    expect(await shown(`GET /developer/v1/deliveries?q=${foreignIds[0]}`, world.key)).toEqual([]);
    expect(await shown(`GET /developer/v1/deliveries?q=ord_1&event=order.paid`, world.key)).toHaveLength(1);
    for (const method of ["GET", "POST"]) {
      const suffix = method === "GET" ? "" : "/resend";
      const asked = (key: string) =>
        ask(`${method} /developer/v1/deliveries/${foreignIds[0]}${suffix}`, { token: key });
      expect((await asked(world.key)).error?.code).toBe("resource_not_found");
      expect((await asked(second)).status).toBe(method === "GET" ? 200 : 201);
      expect((await asked(token)).status).toBe(method === "GET" ? 200 : 201);
    }
  });
});
