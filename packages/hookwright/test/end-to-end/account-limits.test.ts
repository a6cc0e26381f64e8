import { describe, expect, it } from "vitest";
import { createHookwright } from "../../src/create-hookwright.ts";
import { openSession } from "../support/open-session.ts";
import { hostToken, openWorld } from "./support/open-world.ts";
import type { World } from "./support/open-world.ts";
import { storages } from "./support/storages.ts";

const noLimits = {
  requests_per_minute: null,
  console_requests_per_minute: null,
  sends_per_minute: null,
  webhooks: null,
  api_keys: null,
};
const noRules = { switch_off_after: null, retry_delays_seconds: null };
const noRetention = { days: null, deliveries: null, delivery_log_mib: null, requests: null, bodies: null };

const putAccount = (world: World, json: object) => world.host("PUT /host/v1/accounts/acc_1", json);

describe.each(storages)("on $name, limits of one account", (storage) => {
  it("merge, are shown to the host only, and null restores the default", async () => {
    await using world = await openWorld(storage);
    expect((await world.host("GET /host/v1/accounts/acc_1")).data).toMatchObject({
      limits: noLimits,
      retention: noRetention,
      delivery: noRules,
      delivery_in_effect: { switch_off_after: 30 },
    });
    await putAccount(world, {
      limits: { webhooks: 2, api_keys: 5 },
      retention: { days: 7 },
      delivery: { switch_off_after: "off" },
    });
    const changed = await putAccount(world, { limits: { webhooks: null }, retention: { requests: 50 } });
    const expected = {
      limits: { ...noLimits, api_keys: 5 },
      retention: { ...noRetention, days: 7, requests: 50 },
      delivery: { ...noRules, switch_off_after: "off" },
    };
    expect(changed.data).toMatchObject(expected);
    expect((await world.host("GET /host/v1/accounts")).rows).toMatchObject([expected]);
    expect(Object.keys((await world.ask("GET /v1/me")).data)).not.toContain("limits");
    const refused = await putAccount(world, {
      limits: { webhooks: 51, requests_per_minute: 0 },
      retention: { days: 3_651, deliveries: 0.5 },
      delivery: { switch_off_after: 1_001, retry_delays_seconds: [0] },
    });
    expect([refused.status, refused.error?.code]).toEqual([422, "validation_failed"]);
    for (const field of [
      "limits.webhooks",
      "limits.requests_per_minute",
      "retention.days",
      "retention.deliv",
      "delivery.switch_off_after",
      "delivery.retry_delays_seconds",
    ])
      expect(refused.error?.message).toContain(field);
  });

  it("take effect at once, in every process", async () => {
    await using world = await openWorld(storage, { rateLimitPerMinute: 3 });
    const { store, key } = world;
    await using other = await createHookwright({
      store,
      secret: "a secret of thirty-two characters",
      role: "api",
      hostToken,
      rateLimitPerMinute: 3,
      developerSite: false,
    });
    const elsewhere = () =>
      other.fetch(new Request("http://a/v1/me", { headers: { authorization: `Bearer ${key}` } }));
    expect((await elsewhere()).status).toBe(200);
    await putAccount(world, { limits: { requests_per_minute: 2 } });
    expect((await world.ask("GET /v1/me")).headers.get("ratelimit-policy")).toBe('"default";q=2;w=60');
    const over = await elsewhere();
    expect([over.status, over.headers.get("ratelimit-policy")]).toEqual([429, '"default";q=2;w=60']);
    await putAccount(world, { limits: { requests_per_minute: 100, webhooks: 1, api_keys: 1 } });
    expect((await elsewhere()).status).toBe(200);

    await world.subscribe("order.created");
    const second = await world.ask("POST /v1/webhooks", {
      json: { event: "order.paid", target_url: world.receiver.origin },
    });
    expect(second.error?.code).toBe("webhook_limit_reached");
    const secondKey = await world.host("POST /host/v1/accounts/acc_1/api-keys", { name: "second" });
    expect(secondKey.error?.code).toBe("invalid_state");
    await putAccount(world, { limits: { webhooks: 2, api_keys: 2 } });
    await world.subscribe("order.paid");
    expect((await world.host("POST /host/v1/accounts/acc_1/api-keys", { name: "second" })).status).toBe(201);
  });

  it("shorten the request log", async () => {
    await using world = await openWorld(storage);
    const listed = async () => {
      const token = await openSession(world.hookwright);
      return (await world.ask("GET /console/api/requests", { token })).rows.length;
    };
    await world.ask("GET /v1/me");
    expect(await listed()).toBe(1);
    world.advance(2 * 24 * 3_600_000);
    expect(await listed()).toBe(1);
    await putAccount(world, { retention: { days: 1 } });
    expect(await listed()).toBe(0);
  });
});
