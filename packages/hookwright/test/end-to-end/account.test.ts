import { describe, expect, it } from "vitest";
import { openWorld } from "./support/open-world.ts";
import { memory } from "./support/storages.ts";

describe("access", () => {
  it("needs a valid key and an account that is not suspended", async () => {
    await using world = await openWorld(memory);
    const { ask, hookwright, host } = world;
    expect((await ask("GET /v1/me", { token: null })).error?.code).toBe("missing_api_key");
    expect((await ask("GET /v1/me", { token: "hwk_unknown" })).error?.code).toBe("invalid_api_key");
    const me = await ask("GET /v1/me");
    expect([me.status, me.data]).toMatchObject([
      200,
      { id: "acc_1", timezone: "Europe/London", demo: false },
    ]);
    expect((await ask("GET /v1/projects")).rows.map(({ id }) => id)).toEqual(["site_2", "site_1"]);

    await host("PUT /host/v1/accounts/acc_1", { plan: { crm: false } });
    expect((await ask("GET /v1/contacts")).error?.code).toBe("plan_required");
    expect((await ask("GET /v1/orders")).status).toBe(200);
    await host("PUT /host/v1/accounts/acc_1", { demo: true });
    expect((await ask("POST /v1/blog-posts", { json: {} })).error?.code).toBe("read_only_demo");
    await host("PUT /host/v1/accounts/acc_1", { plan: { integrations: false } });
    expect((await ask("POST /v1/blog-posts", { json: {} })).error?.code).toBe("plan_required");
    await host("PUT /host/v1/accounts/acc_1", { status: "suspended" });
    expect((await ask("GET /v1/me")).error?.code).toBe("account_unavailable");
    const { rows } = await hookwright.apiKeys.list("acc_1", { limit: 1 });
    await host(`POST /host/v1/api-keys/${rows[0]?.id}/revoke`);
    expect((await ask("GET /v1/me")).error?.code).toBe("invalid_api_key");
  });

  it("is limited to 200 requests in 60 seconds, with Retry-After", async () => {
    await using world = await openWorld(memory);
    const first = await world.ask("GET /v1/me");
    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=200;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"default";r=199;t=60$/);
    const answers = await Promise.all(Array.from({ length: 205 }, () => world.ask("GET /v1/me")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(199);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.error?.code).toBe("rate_limited");
    const seconds = Number(refused?.headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    // The host and operations routes are not limited, and refused requests are not counted.
    expect((await world.host("GET /readyz")).status).toBe(200);
    world.advance(60_000);
    expect((await world.ask("GET /v1/me")).status).toBe(200);
  });
});
