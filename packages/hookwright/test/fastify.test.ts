import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { hookwrightPlugin } from "../src/fastify.ts";
import { createHookwright } from "../src/index.ts";
import type { Hookwright } from "../src/index.ts";

interface Shop extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly hookwright: Hookwright;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A shop in Fastify on a free port. `prepare` runs before it listens. */
async function openShop(
  prepare: (app: FastifyInstance, hookwright: Hookwright) => void = (app, hookwright) =>
    void app.register(hookwrightPlugin, { hookwright }),
  basePath = "/integrations",
): Promise<Shop> {
  const secret = "a test secret of 32 characters!!";
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret,
    basePath,
    hostToken: "host-token",
    role: "api",
  });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  const { api_key } = await hookwright.apiKeys.create("acc_1", { name: "test" });
  const app = Fastify();
  prepare(app, hookwright);
  app.post("/reviews", (request, reply) => reply.send(request.body));
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    app,
    hookwright,
    origin,
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    async [Symbol.asyncDispose]() {
      await app.close();
      await hookwright.close();
    },
  };
}

const webhook = JSON.stringify({ event: "order.created", target_url: "https://hooks.example.com/" });

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly success?: boolean;
    readonly data?: unknown;
    readonly error?: { readonly code?: string; readonly message?: string };
  };
}

async function ask(url: string, init: RequestInit = {}): Promise<Asked> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith("{") ? JSON.parse(text) : {},
  };
}

describe("the plugin for Fastify", () => {
  it("serves the API below its base path, and does not change the parsers of the shop", async () => {
    await using shop = await openShop();
    const { origin, headers } = shop;
    const created = await ask(`${origin}/integrations/v1/webhooks`, {
      method: "POST",
      headers,
      body: webhook,
    });
    expect([created.status, created.body]).toMatchObject([201, { data: { event: "order.created" } }]);
    const posted = await ask(`${origin}/reviews`, { method: "POST", headers, body: '{"rating":5}' });
    expect([posted.status, posted.body]).toEqual([200, { rating: 5 }]);
    expect(await ask(`${origin}/v1/me`, { headers })).toMatchObject({
      status: 404,
      body: { message: "Route GET:/v1/me not found" },
    });
  });

  it("the API responds on all paths below the base path and on the base path itself", async () => {
    await using shop = await openShop();
    const base = `${shop.origin}/integrations`;
    for (const path of ["", "/", "?a=1"]) {
      const { status, headers } = await ask(`${base}${path}`);
      expect([path, status, headers.get("location")]).toEqual([path, 302, "/integrations/reference"]);
    }
    for (const [target, status, code] of [
      ["GET /nothing", 404, "not_found"],
      ["GET /v1/orders/", 404, "not_found"],
      ["GET //v1/me", 404, "not_found"],
      ["PROPFIND /v1/me", 405, "not_found"],
      ["PATCH /v1/me", 405, "not_found"],
      ["PROPFIND ", 405, "not_found"],
      ["QUERY /v1/me", 405, "not_found"],
    ] as const) {
      const [method = "", path = ""] = target.split(" ");
      const { status: answered, body, headers } = await ask(`${base}${path}`, { method });
      expect([target, answered, body.error?.code]).toEqual([target, status, code]);
      expect(headers.get("x-request-id")).toMatch(/^req_/u);
    }
    expect((await ask(`${base}/v1/me`, { method: "OPTIONS" })).status).toBe(204);
    expect((await ask(`${base}/v1/me`, { method: "HEAD", headers: shop.headers })).status).toBe(200);
    expect((await ask(`${shop.origin}/integrationsx`)).body.error).toBe("Not Found");
  });

  it("refuses bodies as the API does: too long, malformed, with another or an invalid type", async () => {
    await using shop = await openShop();
    const url = `${shop.origin}/integrations/v1/webhooks`;
    for (const [contentType, body, status] of [
      ["application/json", " ".repeat(2 ** 20 + 1), 413],
      ["application/json", "{", 400],
      ["application/json", "", 400],
      ["text/plain", "{}", 415],
      ["application/x-www-form-urlencoded", "a=1", 415],
      ["none", "{}", 415],
    ] as const) {
      const headers = { ...shop.headers, "content-type": contentType };
      const answered = await ask(url, { method: "POST", headers, body });
      expect([contentType, answered.status, answered.body.error?.code]).toEqual([
        contentType,
        status,
        "validation_failed",
      ]);
    }
    // The host API accepts more than Fastify would.
    const headers = { authorization: "Bearer host-token", "content-type": "application/json" };
    const body = `{"name":"Bakery"${" ".repeat(2 ** 21)}}`;
    const put = await ask(`${shop.origin}/integrations/host/v1/accounts/acc_1`, {
      method: "PUT",
      headers,
      body,
    });
    expect(put.status).toBe(200);
  });

  it("keeps the headers that the shop's hooks set", async () => {
    await using shop = await openShop((app, hookwright) => {
      app.addHook("onRequest", async (_request, reply) => {
        reply.header("x-frame-options", "DENY").header("set-cookie", ["a=1", "b=2"]);
      });
      app.register(hookwrightPlugin, { hookwright });
    });
    const { headers } = await ask(`${shop.origin}/integrations/healthz`);
    expect([headers.get("x-frame-options"), headers.getSetCookie()]).toEqual(["DENY", ["a=1", "b=2"]]);
  });

  it("works with inject()", async () => {
    await using shop = await openShop();
    const { headers } = shop;
    const url = "/integrations/v1/webhooks";
    const created = await shop.app.inject({ method: "POST", url, headers, payload: webhook });
    expect([created.statusCode, created.json()]).toMatchObject([201, { success: true }]);
  });

  it("may be registered below a prefix with which its base path begins", async () => {
    for (const prefix of ["/shop", "/shop/integrations"]) {
      await using shop = await openShop(
        (app, hookwright) => void app.register(hookwrightPlugin, { hookwright, prefix }),
        "/shop/integrations",
      );
      const { headers } = shop;
      expect((await ask(`${shop.origin}/shop/integrations/v1/me`, { headers })).status).toBe(200);
      expect((await ask(`${shop.origin}/shop/integrations`)).status).toBe(302);
    }
  });

  it("without a base path serves all paths that the shop does not", async () => {
    await using shop = await openShop(undefined, "");
    const { origin, headers } = shop;
    expect((await ask(`${origin}/v1/me`, { headers })).status).toBe(200);
    expect((await ask(`${origin}/reviews`, { method: "POST", headers, body: "{}" })).body).toEqual({});
    expect((await ask(origin)).headers.get("location")).toBe("/reference");
  });

  it("refuses a prefix that its base path does not begin with, and says what to do", async () => {
    const register = openShop(
      (app, hookwright) => void app.register(hookwrightPlugin, { hookwright, prefix: "/hooks" }),
    );
    await expect(register).rejects.toMatchObject({
      code: "invalid_option",
      message:
        'basePath: must begin with the prefix of the Fastify plugin: pass basePath: "/hooks" to createHookwright, or register the plugin without a prefix',
    });
  });

  it("names the missing argument if it is called without one", async () => {
    await using shop = await openShop();
    const options = { hookwright: shop.hookwright };
    await expect(hookwrightPlugin({}, options)).rejects.toThrow(
      "server: must be a Fastify 5 server: call `await app.register(hookwrightPlugin, { hookwright })`",
    );
    // @ts-expect-error a program without types may forget the options
    await expect(hookwrightPlugin(Fastify(), {})).rejects.toThrow(
      "hookwright: must be the result of createHookwright: call",
    );
  });
});
