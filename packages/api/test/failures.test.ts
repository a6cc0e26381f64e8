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

describe("an error inside", () => {
  it.each([new Error("table orders is broken at /srv/app"), "a text", undefined, null, { code: "odd" }])(
    "%# answers 500 with nothing from inside, and is logged with the request's id",
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
            path: "/v1/orders/ord_1",
            status: 500,
            error: expect.any(String),
          }),
        },
      ]);
    },
  );

  it("is answered and logged, also where reading it throws", async () => {
    const error = Object.defineProperty(new Error("hidden"), "stack", {
      get() {
        throw new Error("no stack for you");
      },
    });
    const api = await openFailing(error);
    expect((await call(api, "GET /v1/orders/ord_1")).body.error?.code).toBe("internal_error");
    expect(api.log[0]?.fields["error"]).toBe("an error that cannot be described: reading it throws");
  });

  it("is logged with its causes, and without the key", async () => {
    const api = await openFailing(new Error("outer", { cause: new Error("inner") }));
    await call(api, "GET /v1/orders/ord_1");
    const line = JSON.stringify(api.log);
    expect(line).toContain("outer");
    expect(line).toContain("inner");
    expect(line).not.toContain(api.apiKey);
  });
});

describe("storage that is away", () => {
  it.each([
    new StorageError("unavailable", "redis://:password@10.0.0.1 is gone"),
    new StorageError("closed", "closed"),
    new StorageError("in_use", "gone to another process"),
    new Error("wrapped", { cause: new StorageError("unavailable", "gone") }),
    new HookwrightError("internal_error", "others are gone first", { status: 503 }),
  ])("%# answers 503 with Retry-After and nothing from inside", async (error) => {
    const api = await openFailing(error);
    const answered = await call(api, "GET /v1/orders/ord_1");
    expect(answered.status).toBe(503);
    expect(Number(answered.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(answered.body.error?.code).toBe("internal_error");
    expect(answered.text).not.toMatch(/redis|gone|closed|wrapped/);
    expect(api.log).toHaveLength(1);
  });

  it("is told by the rate limiter and by the authentication as well", async () => {
    const away = async (): Promise<never> => {
      throw new StorageError("unavailable", "gone");
    };
    const limited = await openApi({ rateLimiter: { take: away } });
    expect((await call(limited, "GET /v1/me")).status).toBe(503);
    const service = { ...openService(), authenticate: away };
    expect((await call(await openApi({ service }), "GET /v1/me")).status).toBe(503);
  });
});

describe("a secret that somebody puts where an id belongs", () => {
  it.each(["hwk_4fGa-0B_x", "hwc_4fGa-0B_x", "whsec_4fGa-0B_x"])(
    "is in neither log, but for what kind of secret it is: %s",
    async (secret) => {
      const paths: string[] = [];
      const onLogged = (_: string, { path }: LoggedRequest): void => void paths.push(path);
      await call(await openApi({ onLogged }), `GET /v1/webhooks/${secret}`);
      expect(paths).toEqual([`/v1/webhooks/${secret.replace(/_.*/u, "_")}***`]);
      const failing = await openFailing(new Error("broken"));
      await call(failing, `GET /v1/orders/${secret}`);
      expect(failing.log[0]?.fields["path"]).toBe(`/v1/orders/${secret.replace(/_.*/u, "_")}***`);
      expect(JSON.stringify(failing.log)).not.toContain(secret);
    },
  );

  it.each(["%20", "%0A", "Bearer%20", "%22", "my_"])("is found behind %s as well", async (before) => {
    const paths: string[] = [];
    const api = await openApi({ onLogged: (_, { path }) => void paths.push(path) });
    await call(api, `GET /v1/webhooks/${before}hwk_4fGa-0B_x`);
    expect(paths).toEqual([`/v1/webhooks/${before}hwk_***`]);
  });

  it("is told from an id", async () => {
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

it("a request log that throws takes nothing from the answer", async () => {
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
