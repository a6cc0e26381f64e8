import { describe, expect, it } from "vitest";
import { HookwrightError, logLines } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { LoggedRequest } from "@hookwright/service";
import { call } from "./support/call.ts";
import { openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";
import { openService } from "./support/open-service.ts";

async function openFailing(error: unknown): Promise<TestApi> {
  const service = openService();
  const orders = {
    ...service.orders,
    get: async () => {
      throw error;
    },
  };
  return openApi({ service: { ...service, orders } });
}

describe("an internal error", () => {
  it.each([new Error("table orders is broken at /srv/app"), "a text", undefined, null, { code: "odd" }])(
    "%# gets 500 without internal details, and is logged with the request id",
    async (error) => {
      const api = await openFailing(error);
      const answered = await call(api, "GET /v1/orders/ord_1");
      expect(answered.status).toBe(500);
      expect(answered.body).toEqual({
        success: false,
        error: { code: "internal_error", message: "Something failed inside the service." },
      });
      expect(api.log).toEqual([
        {
          level: "error",
          message: logLines.request_failed.message,
          fields: expect.objectContaining({
            code: "request_failed",
            request_id: answered.headers.get("x-request-id"),
            account_id: "acc_1",
            method: "GET",
            route: "/v1/orders/{id}",
            component: "api",
            status: 500,
            error: expect.any(String),
          }),
        },
      ]);
    },
  );

  it("is handled and logged, even if reading it throws", async () => {
    const error = Object.defineProperty(new Error("hidden"), "stack", {
      get() {
        throw new Error("no stack for you");
      },
    });
    const api = await openFailing(error);
    expect((await call(api, "GET /v1/orders/ord_1")).body.error?.code).toBe("internal_error");
    expect(api.log[0]?.fields["error"]).toBe("an error that cannot be described: reading it throws");
  });

  it("is logged with its causes, without the key", async () => {
    const api = await openFailing(new Error("outer", { cause: new Error("inner") }));
    await call(api, "GET /v1/orders/ord_1");
    const line = JSON.stringify(api.log);
    expect(line).toContain("outer");
    expect(line).toContain("inner");
    expect(line).not.toContain(api.apiKey);
  });
});

describe("unavailable storage", () => {
  it.each([
    new StorageError("unavailable", "redis://:password@10.0.0.1 is unavailable"),
    new StorageError("closed", "closed"),
    new StorageError("in_use", "another process holds the lock"),
    new Error("wrapped", { cause: new StorageError("unavailable", "gone") }),
    new HookwrightError("internal_error", "other requests are served first", { status: 503 }),
  ])("%# gets 503 with Retry-After, without internal details", async (error) => {
    const api = await openFailing(error);
    const answered = await call(api, "GET /v1/orders/ord_1");
    expect(answered.status).toBe(503);
    expect(Number(answered.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(answered.body.error?.code).toBe("internal_error");
    expect(answered.text).not.toMatch(/redis|lock|served|closed|wrapped|gone/);
    expect(api.log).toHaveLength(1);
  });

  it("in the rate limiter or the authentication also gets 503", async () => {
    const unavailableErrors = async (): Promise<never> => {
      throw new StorageError("unavailable", "gone");
    };
    const limited = await openApi({ rateLimiters: { requests: { take: unavailableErrors } } });
    expect((await call(limited, "GET /v1/me")).status).toBe(503);
    const service = { ...openService(), authenticate: unavailableErrors };
    expect((await call(await openApi({ service }), "GET /v1/me")).status).toBe(503);
  });
});

describe("a secret in place of an id", () => {
  it.each(["hwk_4fGa-0B_x", "hwc_4fGa-0B_x", "whsec_4fGa-0B_x", "whsec_4f+Ga0Bx%2FyzA=="])(
    "is masked in the request log except for its prefix, and is not in the log: %s",
    async (secret) => {
      const paths: string[] = [];
      const onLogged = (_: string, { path }: LoggedRequest): void => void paths.push(path);
      await call(await openApi({ onLogged }), `GET /v1/webhooks/${secret}`);
      expect(paths).toEqual([`/v1/webhooks/${secret.replace(/_.*/u, "_")}***`]);
      const failing = await openFailing(new Error("broken"));
      await call(failing, `GET /v1/orders/${secret}`);
      expect(failing.log[0]?.fields["route"]).toBe("/v1/orders/{id}");
      expect(JSON.stringify(failing.log)).not.toContain(secret);
    },
  );

  it.each(["%20", "%0A", "Bearer%20", "%22", "my_"])("is masked after %s too", async (before) => {
    const paths: string[] = [];
    const api = await openApi({ onLogged: (_, { path }) => void paths.push(path) });
    await call(api, `GET /v1/webhooks/${before}hwk_4fGa-0B_x`);
    expect(paths).toEqual([`/v1/webhooks/${before}hwk_***`]);
  });

  it("is distinguished from an id", async () => {
    const paths: string[] = [];
    const api = await openApi({ onLogged: (_, { path }) => void paths.push(path) });
    for (const id of ["wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21", "hwk", "o_hwk-1"])
      await call(api, `GET /v1/orders/${id}`);
    expect(paths).toEqual([
      "/v1/orders/wh_019a9c3f5b2e7c41a0f39d1e6b7c8d21",
      "/v1/orders/hwk",
      "/v1/orders/o_hwk-1",
    ]);
  });
});

it("a request log that throws does not change the response", async () => {
  const api = await openApi({
    onLogged: () => {
      throw new Error("the log is full");
    },
  });
  expect((await call(api, "GET /v1/me")).status).toBe(200);
  expect(api.log[0]?.fields).toMatchObject({
    code: "request_not_logged",
    account_id: "acc_1",
    error: "the log is full",
  });
});
