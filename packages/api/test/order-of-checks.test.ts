import { describe, expect, it } from "vitest";
import type { RateLimiter } from "../src/routing/rate-limiter.ts";
import { call, codeOf } from "./support/call.ts";
import { openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";

const noMore: RateLimiter = {
  take: async () => ({
    allowed: false,
    limit: 200,
    remaining: 0,
    resetSeconds: 41.2,
    retryAfterSeconds: 0.3,
  }),
};
const plenty: RateLimiter = {
  take: async () => ({ allowed: true, limit: 200, remaining: 199, resetSeconds: 60, retryAfterSeconds: 0 }),
};

/** In each step all later checks fail too, so only the order decides which error the client gets. */
async function openWrong(
  rateLimiter: RateLimiter,
  account: Readonly<Record<string, unknown>>,
): Promise<TestApi> {
  const api = await openApi({ rateLimiters: { requests: rateLimiter } });
  await api.options.service.accounts.put("acc_1", account);
  return api;
}

const allWrong = { status: "suspended", plan: { integrations: false, crm: false }, demo: true };
const badRequest = "POST /v1/webhooks?limit=0&a=1&a=2";

describe("the checks run in the contract's order", () => {
  it("unknown route before key", async () => {
    const answered = await call(await openWrong(noMore, allWrong), "GET /v1/nothing", { token: undefined });
    expect(codeOf(answered)).toBe("not_found");
  });

  it("wrong method before key", async () => {
    const answered = await call(await openWrong(noMore, allWrong), "DELETE /v1/me", { token: undefined });
    expect(answered.status).toBe(405);
  });

  it("key before rate limit", async () => {
    const api = await openWrong(noMore, allWrong);
    expect(codeOf(await call(api, badRequest, { token: "hwk_no", body: "{" }))).toBe("invalid_api_key");
  });

  it("rate limit before suspension", async () => {
    expect(codeOf(await call(await openWrong(noMore, allWrong), badRequest, { body: "{" }))).toBe(
      "rate_limited",
    );
  });

  it("suspension before plan", async () => {
    const answered = await call(await openWrong(plenty, allWrong), badRequest, { body: "{" });
    expect([answered.status, codeOf(answered)]).toEqual([403, "account_unavailable"]);
  });

  it("plan before demo", async () => {
    const api = await openWrong(plenty, { ...allWrong, status: "active" });
    const answered = await call(api, badRequest, { body: "{" });
    expect([answered.status, codeOf(answered)]).toEqual([403, "plan_required"]);
  });

  it("demo before query and body", async () => {
    const api = await openWrong(plenty, { demo: true });
    const answered = await call(api, badRequest, { body: "{" });
    expect([answered.status, codeOf(answered)]).toEqual([403, "read_only_demo"]);
  });

  it("demo before right", async () => {
    const api = await openWrong(plenty, { demo: true });
    const { api_key: token } = await api.options.service.apiKeys.create("acc_1", {
      name: "r",
      rights: ["read"],
    });
    expect(codeOf(await call(api, badRequest, { body: "{", token }))).toBe("read_only_demo");
  });

  it("right before query and body", async () => {
    const api = await openApi({ rateLimiters: { requests: plenty } });
    const { api_key: token } = await api.options.service.apiKeys.create("acc_1", {
      name: "r",
      rights: ["read"],
    });
    const answered = await call(api, badRequest, { body: "{", token });
    expect([answered.status, codeOf(answered)]).toEqual([403, "forbidden"]);
  });

  it("query before record", async () => {
    const answered = await call(await openApi(), "GET /v1/webhooks/none?a=1&a=2");
    expect(codeOf(answered)).toBe("validation_failed");
  });

  it("the demo account may read", async () => {
    const api = await openWrong(plenty, { demo: true });
    expect((await call(api, "GET /v1/webhooks")).status).toBe(200);
    expect(codeOf(await call(api, "DELETE /v1/webhooks/none"))).toBe("read_only_demo");
  });
});

describe("the rate limit", () => {
  it("tells what is left on every answer to a known caller, refusals included", async () => {
    const api = await openApi({ rateLimiters: { requests: plenty } });
    for (const target of ["GET /v1/me", "GET /v1/orders/none", "GET /v1/orders?limit=0"]) {
      const { headers } = await call(api, target);
      expect(headers.get("ratelimit-policy")).toBe('"default";q=200;w=60');
      expect(headers.get("ratelimit")).toBe('"default";r=199;t=60');
    }
  });

  it.each([
    ["a missing key", "GET /v1/me", { token: "" }, 401],
    ["a wrong key", "GET /v1/me", { token: "hwk_no" }, 401],
    ["an unknown endpoint", "GET /v1/nothing", {}, 404],
    ["an unknown endpoint of the developer API", "GET /developer/v1/nothing", {}, 404],
    ["another method", "DELETE /v1/me", {}, 405],
    ["OPTIONS", "OPTIONS /v1/me", {}, 204],
    ["the OpenAPI document", "GET /v1/openapi.json", {}, 200],
  ])("is on an answer that counts for no account too: %s", async (_, target, request, status) => {
    const { status: answered, headers } = await call(
      await openApi({ rateLimiters: { requests: { ...plenty, limit: 200 } } }),
      target,
      request,
    );
    expect(answered).toBe(status);
    expect(headers.get("ratelimit-policy")).toBe('"default";q=200;w=60');
    expect(headers.get("ratelimit")).toBe('"default";r=200;t=0');
  });

  it.each([
    "GET /healthz",
    "GET /other",
    "GET /console/api/webhooks",
    "GET /host/v1/accounts/acc_1",
    "GET /v10",
  ])("is not on %s", async (target) => {
    const { headers } = await call(
      await openApi({ rateLimiters: { requests: { ...plenty, limit: 200 } } }),
      target,
    );
    expect(headers.get("ratelimit")).toBeNull();
  });

  it("answers 429 with whole seconds, at least one", async () => {
    const answered = await call(await openApi({ rateLimiters: { requests: noMore } }), "GET /v1/me");
    expect(answered.status).toBe(429);
    expect(answered.headers.get("retry-after")).toBe("1");
    expect(answered.headers.get("ratelimit")).toBe('"default";r=0;t=42');
  });

  it("counts per account, and only requests with a route and a key", async () => {
    const taken: string[] = [];
    const rateLimiter: RateLimiter = {
      take: async (accountId) => {
        taken.push(accountId);
        return plenty.take(accountId);
      },
    };
    const api = await openApi({ rateLimiters: { requests: rateLimiter } });
    await call(api, "GET /v1/nothing");
    await call(api, "OPTIONS /v1/me");
    await call(api, "POST /v1/me");
    await call(api, "GET /v1/me", { token: "hwk_no" });
    await call(api, "GET /healthz");
    await call(api, "PUT /host/v1/accounts/acc_1", { token: "host-token-for-tests", json: {} });
    expect(taken).toEqual([]);
    await call(api, "GET /v1/me");
    expect(taken).toEqual(["acc_1"]);
  });
});
