import { describe, expect, it, vi } from "vitest";
import type { LoggedRequest } from "@hookwright/service";
import type { Readiness } from "../src/check-readiness.ts";
import type { ServedRequest } from "../src/response/served-request.ts";
import { call, codeOf } from "./support/call.ts";
import { hostToken, openApi } from "./support/open-api.ts";

const host = { token: hostToken };

describe("every response", () => {
  it("has its own request id, whatever the client sends", async () => {
    const api = await openApi();
    const ids = new Set<string | null>();
    for (const target of ["GET /v1/me", "GET /nothing", "POST /v1/me", "OPTIONS /v1/me", "HEAD /healthz"]) {
      const headers = { "x-request-id": "req_chosen" };
      ids.add((await call(api, target, { headers })).headers.get("x-request-id"));
    }
    expect(ids.size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
  });

  it("is JSON and forbids caching", async () => {
    const { headers } = await call(await openApi(), "GET /v1/me");
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

it("GET /v1/me has no account status", async () => {
  const { body } = await call(await openApi(), "GET /v1/me");
  expect(body).toEqual({
    success: true,
    data: {
      id: "acc_1",
      name: "Bakery",
      email: "owner@example.com",
      timezone: "Europe/London",
      plan: {
        name: "standard",
        integrations: true,
        crm: true,
        monthly_new_subscribers: null,
        blog_posts_per_site: null,
      },
      demo: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    },
  });
});

describe("the host API", () => {
  it.each([
    ["accounts/acc_9", { name: "Nine", email: "nine@example.com", timezone: "UTC", password: "a long id" }],
    ["projects/site_9", { account_id: "acc_1", name: "Nine", timezone: "UTC" }],
    ["email-lists/lst_9", { project_id: "site_1", name: "Nine" }],
    ["projects/site_1/subscribers/nine%40example.com", { status: "active", name: "Nine", tags: ["a"] }],
    ["suppressions/nine%40example.com", { reason: "bounced" }],
  ])("PUT %s gets 201, and the same PUT again gets 200", async (path, json) => {
    const api = await openApi();
    const created = await call(api, `PUT /host/v1/${path}`, { ...host, json });
    const again = await call(api, `PUT /host/v1/${path}`, { ...host, json });
    expect([created.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(created.body);
    const { password: _, account_id: __, ...shown } = { password: "", account_id: "", ...json };
    expect(created.body.data).toMatchObject(shown);
    expect(created.text).not.toMatch(/password|created"/);
  });

  it("deletes a suppression, and a second delete gets 404", async () => {
    const api = await openApi();
    await call(api, "PUT /host/v1/suppressions/a@b.example", { ...host, json: { reason: "complained" } });
    const suppression = "DELETE /host/v1/suppressions/A@B.example";
    expect((await call(api, suppression, host)).body.data).toEqual({ email: "a@b.example", deleted: true });
    expect(codeOf(await call(api, suppression, host))).toBe("resource_not_found");
  });
});

describe("operations", () => {
  it("health needs no credentials", async () => {
    const { status, body } = await call(await openApi(), "GET /healthz", { token: undefined });
    expect([status, body]).toEqual([200, { success: true, data: { status: "up" } }]);
  });

  it.each([
    [async (): Promise<Readiness> => ({ ready: false, problem: "The disk is full." }), "The disk is full."],
    [
      () => Promise.reject(new Error("the storage at 10.0.0.1 is unavailable")),
      "The readiness check failed. The log says why.",
    ],
  ])("a process that is not ready says why, case %#", async (readiness, message) => {
    const answered = await call(await openApi({ readiness }), "GET /readyz", { token: undefined });
    expect([answered.status, answered.body]).toEqual([
      503,
      { success: false, error: { code: "internal_error", message } },
    ]);
    expect(answered.headers.get("retry-after")).toBe("1");
  });

  it("a ready process says so", async () => {
    const readiness = async (): Promise<Readiness> => ({ ready: true });
    const { status, body } = await call(await openApi({ readiness }), "GET /readyz", { token: undefined });
    expect([status, body]).toEqual([200, { success: true, data: { status: "ready" } }]);
  });

  it("a readiness check that never finishes counts as not ready within three seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const api = await openApi({ readiness: () => new Promise(() => {}) });
      const answering = call(api, "GET /readyz", { token: undefined });
      await vi.advanceTimersByTimeAsync(3_000);
      expect((await answering).status).toBe(503);
    } finally {
      vi.useRealTimers();
    }
  });

  it("the metrics route exists only with metrics, and needs the host token unless they are public", async () => {
    const render = (): string => "up 1\n";
    expect(codeOf(await call(await openApi(), "GET /metrics", host))).toBe("not_found");
    const closed = await openApi({ metrics: { render } });
    expect(codeOf(await call(closed, "GET /metrics", { token: undefined }))).toBe("missing_api_key");
    const answered = await call(closed, "GET /metrics", host);
    expect([answered.text, answered.headers.get("content-type")]).toEqual([
      "up 1\n",
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    const open = await openApi({ metrics: { render, public: true }, hostToken: "" });
    expect((await call(open, "GET /metrics", { token: undefined })).text).toBe("up 1\n");
    const invalidKey = await openApi({ metrics: { render }, hostToken: "" });
    expect(codeOf(await call(invalidKey, "GET /metrics", host))).toBe("not_found");
  });
});

it("the request log gets every request with an API key, without the key and the query", async () => {
  const noted: [accountId: string, request: LoggedRequest][] = [];
  let clock = 1_000;
  const api = await openApi({
    now: () => (clock += 5),
    onLogged: (accountId, request) => noted.push([accountId, request]),
    basePath: "/base",
  });
  await call(api, "GET /base/v1/orders?email=ada%40example.com&limit=0");
  await call(api, "GET /base/v1/me", { token: "hwk_unknown" });
  await call(api, "GET /base/healthz");
  expect(noted).toEqual([
    [
      "acc_1",
      {
        id: expect.stringMatching(/^req_/),
        method: "GET",
        path: "/v1/orders",
        status: 422,
        errorCode: "validation_failed",
        keyId: expect.stringMatching(/^key_/),
        keyName: "Test key",
        durationMs: expect.any(Number),
        createdAt: expect.any(Number),
      },
    ],
  ]);
});

it.each([-3_600_000, 3_600_000])(
  "the logged duration does not depend on the system clock: %i ms",
  async (step) => {
    const noted: LoggedRequest[] = [];
    const served: ServedRequest[] = [];
    let clock = Date.UTC(2026, 10, 20);
    const api = await openApi({
      now: () => (clock += step),
      onLogged: (_, request) => noted.push(request),
      onServed: (request) => served.push(request),
    });
    await call(api, "GET /v1/me");
    const took = served.map(({ durationMs }) => Math.round(durationMs));
    expect(noted.map(({ durationMs }) => durationMs)).toEqual(took);
  },
);
