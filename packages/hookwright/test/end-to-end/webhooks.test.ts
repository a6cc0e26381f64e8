import { eventNames, sampleDeliveryBody } from "@hookwright/domain";
import { verifySync } from "@hookwright/signature/node";
import { describe, expect, it } from "vitest";
import { openWorld } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { everyStorage, storages } from "./support/storages.ts";

describe.each(storages)("on $name, webhooks", (storage) => {
  it("are created once per URL and event, shown without their secret, and deleted", async () => {
    await using world = await openWorld(storage);
    const { ask } = world;
    const input = { event: "order.created", target_url: `${world.receiver.origin}/a`, project_id: "site_1" };
    const created = await ask("POST /v1/webhooks", { json: input });
    expect(created.status).toBe(201);
    const { signing_secret: secret, ...webhook } = created.data;
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    const same = `${input.target_url.replace("http://", "HTTP://")}#fragment`;
    const again = await ask("POST /v1/webhooks", {
      json: { ...input, target_url: same, project_id: "site_2" },
    });
    expect([again.status, again.data]).toEqual([200, webhook]);
    expect((await ask(`GET /v1/webhooks/${webhook.id}`)).data).toEqual(webhook);
    expect((await ask("GET /v1/webhooks")).rows).toEqual([webhook]);
    const deleted = await ask(`DELETE /v1/webhooks/${webhook.id}`);
    expect([deleted.status, deleted.data]).toEqual([200, { id: webhook.id, deleted: true }]);
    expect((await ask(`DELETE /v1/webhooks/${webhook.id}`)).error?.code).toBe("resource_not_found");
  });

  it("are refused in the order of the checks", async () => {
    await using world = await openWorld(storage, { privateTargets: false });
    const post = async (json: object) => (await world.ask("POST /v1/webhooks", { json })).error?.code;
    expect(await post({ event: "nothing" })).toBe("validation_failed");
    expect(await post({ event: "nothing", target_url: "x" })).toBe("unknown_event");
    for (const target_url of [
      "http://example.com/",
      "https://127.1/",
      "https://[::ffff:10.0.0.1]/",
      "https://host/",
    ])
      expect([target_url, await post({ event: "order.paid", target_url, project_id: "?" })]).toEqual([
        target_url,
        "invalid_target_url",
      ]);
    const target_url = "https://example.com/hooks";
    expect(await post({ event: "order.paid", target_url, project_id: "site_x" })).toBe("invalid_project");
  });

  it("are limited to fifty, even with concurrent requests", async () => {
    await using world = await openWorld(storage);
    const made = await Promise.all(
      Array.from({ length: 55 }, (_, index) =>
        world.ask("POST /v1/webhooks", {
          json: { event: "order.paid", target_url: `${world.receiver.origin}/${index}` },
        }),
      ),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(made.filter(({ error }) => error?.code === "webhook_limit_reached")).toHaveLength(5);
    const first = await world.ask("GET /v1/webhooks?limit=30");
    const second = await world.ask(`GET /v1/webhooks?limit=30&cursor=${first.meta.next_cursor}`);
    expect([first.rows.length, second.rows.length, second.meta.has_more]).toEqual([30, 20, false]);
  });

  it("are removed with the key that created them, and their pending deliveries are cancelled", async () => {
    await using world = await openWorld(storage);
    const { hookwright } = world;
    const { id } = await world.subscribe("order.created");
    world.receiver.answerWith(500);
    const data = order("ord_1");
    const { data: published } = await world.publishEvent("order.created", data);
    const [delivery = ""] = published.deliveries;
    await expect.poll(async () => (await hookwright.deliveries.get("acc_1", delivery)).attempts_made).toBe(3);
    const { rows } = await hookwright.apiKeys.list("acc_1", { limit: 1 });
    await world.host(`POST /host/v1/api-keys/${rows[0]?.id}/revoke`);
    await expect.poll(() => world.statusOf(delivery)).toBe("cancelled");
    await expect(hookwright.webhooks.get("acc_1", id)).rejects.toMatchObject({ code: "resource_not_found" });
  });
});

describe.each(everyStorage)("on $name, deliveries", (storage) => {
  it("are signed, retried, and identical to the sample of their event", async () => {
    await using world = await openWorld(storage);
    const { secret } = await world.subscribe("order.created");
    world.receiver.answerWith(500);
    const data = order("ord_1", { total: 0.1 + 0.2 });
    const published = await world.publishEvent("order.created", data);
    expect([published.status, published.data]).toMatchObject([
      200,
      { id: "order.created_ord_1", deliveries: [expect.stringMatching(/^dlv_/)], duplicate: false },
    ]);
    await world.deliveries(1, secret);
    world.receiver.answerWith(204);
    const received = await world.deliveries(2, secret);
    const { text, rows } = await world.ask("GET /v1/event-types/order.created/samples");
    for (const { body, headers } of received) {
      expect(text).toContain(`"data":[${body}]`);
      expect(headers).toMatchObject({
        "x-service-event": "order.created",
        "x-service-delivery": published.data.deliveries[0],
      });
    }
    expect(rows).toMatchObject([
      {
        id: "order.created_ord_1",
        project: { id: "site_1", timezone: "Europe/London" },
        data: { total: 0.3 },
      },
    ]);
    const again = await world.publishEvent("order.created", data);
    expect(again.data).toMatchObject({ deliveries: [], duplicate: true });
  });
});

describe.each(storages)("on $name, deliveries", (storage) => {
  it("of every event are identical to its sample", async () => {
    await using world = await openWorld(storage);
    for (const event of eventNames) {
      const { secret } = await world.subscribe(event, `/${event}`);
      const before = world.receiver.received.length;
      const { data } = sampleDeliveryBody(event);
      await world.publishEvent(event, data, "site_2");
      await expect.poll(() => world.receiver.received.length).toBe(before + 1);
      const { body, headers } = world.receiver.received[before] ?? { body: "", headers: {} };
      verifySync({ body, headers, secrets: secret });
      expect((await world.ask(`GET /v1/event-types/${event}/samples`)).text).toContain(`"data":[${body}]`);
      expect((await world.ask(`GET /v1/event-types/${event}/samples?project_id=site_1`)).rows).toEqual([]);
    }
    const unknown = await world.ask("GET /v1/event-types/order.shipped/samples");
    expect([unknown.status, unknown.error?.code]).toEqual([422, "unknown_event"]);
    const limit = await world.ask("GET /v1/event-types/order.paid/samples?limit=11");
    expect(limit.error?.message).toBe("limit: must be a whole number from 1 to 10");
  });

  it("contain only the webhook's site, if it has one", async () => {
    await using world = await openWorld(storage);
    const target_url = `${world.receiver.origin}/two`;
    await world.ask("POST /v1/webhooks", {
      json: { event: "order.created", target_url, project_id: "site_2" },
    });
    const publish = async (id: string, project_id: string) =>
      (await world.publishEvent("order.created", order(id), project_id)).data;
    expect((await publish("ord_1", "site_1")).deliveries).toEqual([]);
    expect((await publish("ord_2", "site_2")).deliveries).toHaveLength(1);
  });

  it("are cancelled when their record is deleted, and a 410 removes the webhook", async () => {
    await using world = await openWorld(storage, { retryDelaysSeconds: [0.3, 3_600] });
    const { hookwright } = world;
    const { id } = await world.subscribe("order.created");
    world.receiver.answerWith(500);
    const publish = async (recordId: string) => {
      const data = order(recordId);
      const { data: made } = await world.publishEvent("order.created", data);
      return made.deliveries[0] ?? "";
    };
    const statusOf = async (delivery: string) => (await hookwright.deliveries.get("acc_1", delivery)).status;
    const release = world.receiver.hold();
    const first = await publish("ord_1");
    await expect.poll(() => world.receiver.received.length).toBe(1);
    await world.host("DELETE /host/v1/accounts/acc_1/records/orders/ord_1");
    release();
    await expect.poll(() => statusOf(first)).toBe("cancelled");
    world.receiver.answerWith(410);
    const second = await publish("ord_2");
    await expect.poll(() => statusOf(second)).toBe("failed");
    await expect.poll(async () => (await world.ask(`GET /v1/webhooks/${id}`)).status).toBe(404);
    expect(world.receiver.received).toHaveLength(2);
  });

  it.each(["site_1", "site_2"])(
    "of a deleted record never contain the data of a new record with the same id on %s",
    async (site) => {
      await using world = await openWorld(storage, { retryDelaysSeconds: [0.3, 3_600] });
      const { hookwright } = world;
      const target_url = `${world.receiver.origin}/one`;
      await world.ask("POST /v1/webhooks", {
        json: { event: "order.created", target_url, project_id: "site_1" },
      });
      world.receiver.answerWith(500);
      const publish = async (project_id: string) =>
        (await world.publishEvent("order.created", order("ord_1"), project_id)).data.deliveries;
      const release = world.receiver.hold();
      const [old = ""] = await publish("site_1");
      await expect.poll(() => world.receiver.received.length).toBe(1);
      await world.host("DELETE /host/v1/accounts/acc_1/records/orders/ord_1");
      const made = await publish(site);
      release();
      expect(made).toHaveLength(site === "site_1" ? 1 : 0);
      await expect.poll(() => world.statusOf(old)).toBe("cancelled");
      const sent = world.receiver.received.filter(({ headers }) => headers["x-service-delivery"] === old);
      expect(sent).toHaveLength(1);
      await expect(hookwright.deliveries.resend("acc_1", old)).rejects.toMatchObject({
        code: "resource_not_found",
      });
    },
  );

  it("are paused while the account is suspended or has no integrations, and no configuration is lost", async () => {
    await using world = await openWorld(storage, { retryDelaysSeconds: [0.2, 3_600] });
    const { host } = world;
    const { id } = await world.subscribe("order.created");
    const publish = async (recordId: string): Promise<readonly string[]> => {
      return (await world.publishEvent("order.created", order(recordId))).data.deliveries;
    };
    for (const [name, rest, wake] of [
      ["suspended", { status: "suspended" }, { status: "active" }],
      ["plan", { plan: { integrations: false } }, { plan: { integrations: true } }],
    ] as const) {
      world.receiver.answerWith(500);
      const received = world.receiver.received.length;
      const release = world.receiver.hold();
      const [pending = ""] = await publish(`ord_${name}_1`);
      await expect.poll(() => world.receiver.received.length).toBe(received + 1);
      await host("PUT /host/v1/accounts/acc_1", rest);
      expect(await publish(`ord_${name}_2`)).toEqual([]);
      release();
      await expect.poll(() => world.statusOf(pending)).toBe("cancelled");
      expect(world.receiver.received).toHaveLength(received + 1);
      await host("PUT /host/v1/accounts/acc_1", wake);
      expect((await world.ask(`GET /v1/webhooks/${id}`)).data).toMatchObject({ id, status: "active" });
      world.receiver.answerWith(204);
      expect(await publish(`ord_${name}_3`)).toHaveLength(1);
      await expect.poll(() => world.receiver.received.length).toBe(received + 2);
    }
  });
});
