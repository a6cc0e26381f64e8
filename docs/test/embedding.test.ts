import { describe, expect, it, vi } from "vitest";
import type { Hookwright } from "hookwright";
import { askBehindLength } from "./support/ask-behind-length.ts";
import { postLength } from "./support/post-length.ts";
import { review } from "./support/review.ts";
import { serveRoute } from "./support/serve-route.ts";
import { startExample } from "./support/start-example.ts";

const webhook = { event: "order.created", target_url: "https://hooks.example.com/orders" };

function post(url: string, body: unknown, apiKey = ""): Promise<Response> {
  return send(url, JSON.stringify(body), apiKey);
}

function send(url: string, body: string, apiKey = ""): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body,
  });
}

/** Of the examples for Next and Nitro, with an account. */
async function openOnce(): Promise<Hookwright> {
  Reflect.deleteProperty(globalThis, "hookwright");
  const { hookwright } = await import("../examples/embedding/opened-once.ts");
  const opened = await hookwright();
  await opened.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
  return opened;
}

describe.concurrent("the example of embedding in", { timeout: 60_000 }, () => {
  it.each(["node-http", "express", "fastify", "h3", "hono"])(
    "%s serves shop and API, publishes, and ends in good order",
    async (name) => {
      await using server = await startExample(`embedding/${name}`);
      const api = `${server.origin}/integrations`;
      const apiKey = /Bearer (hwk_\S+)"/u.exec(server.printed())?.[1] ?? "";

      expect(await (await fetch(server.origin)).text()).toBe("The shop");
      const me = await fetch(`${api}/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } });
      expect(await me.json()).toMatchObject({ data: { id: "acc_bakery" } });

      // A body reaches the API whole, and one that is no JSON is refused by the API, not by the framework.
      expect((await post(`${api}/v1/webhooks`, webhook, apiKey)).status).toBe(201);
      const refused = await send(`${api}/v1/webhooks`, "{", apiKey);
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: { code: "validation_failed" } },
      ]);
      const removed = await fetch(`${api}/v1/webhooks/wh_unknown`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect([removed.status, await removed.json()]).toMatchObject([
        404,
        { error: { code: "resource_not_found" } },
      ]);

      // Under the base path alone, which the document knows.
      expect((await (await fetch(`${server.origin}/v1/me`)).text()).includes("missing_api_key")).toBe(false);
      expect(await (await fetch(`${api}/v1/openapi.json`)).json()).toMatchObject({
        servers: [{ url: expect.stringContaining("/integrations") }],
      });

      // The developer site comes through the framework whole, what it loads included.
      const page = await (await fetch(`${api}/console`)).text();
      const [, script = ""] = /<script type="module" src="([^"]+)"/u.exec(page) ?? [];
      const loaded = await fetch(new URL(script, `${api}/console`));
      expect([loaded.status, loaded.headers.get("content-type")]).toEqual([
        200,
        "text/javascript; charset=utf-8",
      ]);
      expect((await loaded.text()).length).toBeGreaterThan(10_000);

      const published = await post(`${server.origin}/reviews`, review);
      expect([published.status, await published.text()]).toEqual([201, "review.submitted_rev_1"]);
      const { rating: _, ...unrated } = review;
      const wrong = await post(`${server.origin}/reviews`, unrated);
      expect([wrong.status, await wrong.text()]).toEqual([422, "data.rating: is required"]);

      // A body that is no JSON is the sender's fault, and told so without a stack; so is one that is empty or large.
      const noJson = await send(`${server.origin}/reviews`, "{");
      expect([noJson.status, await noJson.text()]).toEqual([400, expect.stringMatching(/^[^<]*JSON/u)]);
      for (const body of ["", JSON.stringify({ ...review, content: "x".repeat(1_000_000) })]) {
        const refused = await send(`${server.origin}/reviews`, body);
        expect(refused.status).toBeOneOf([400, 413, 422]);
        expect(await refused.text()).toMatch(/^[^<]*(?:empty|JSON|required|large|at most)/u);
      }
      expect(server.printed()).not.toMatch(/^\s+at /mu);

      expect(await server.stop()).toEqual({ code: 0, signal: null });
    },
  );

  it.each(["node-http", "express", "fastify", "h3", "hono"])(
    "%s keeps no body of a customer that is longer than any review",
    async (name) => {
      await using server = await startExample(`embedding/${name}`);
      expect(await postLength(`${server.origin}/reviews`, 2 ** 20 + 1)).toBe(413);
      expect((await post(`${server.origin}/reviews`, review)).status).toBe(201);
    },
  );

  it("node-http answers what comes on the same connection behind a body that is far too long", async () => {
    await using server = await startExample("embedding/node-http");
    expect(await askBehindLength(`${server.origin}/reviews`, 2 ** 25)).toBe(200);
  });

  it.each(["node-http", "express", "fastify", "h3", "hono"])(
    "%s ends in good order when Ctrl-C is pressed, too",
    async (name) => {
      await using server = await startExample(`embedding/${name}`);
      expect(await server.stop("SIGINT")).toEqual({ code: 0, signal: null });
    },
  );

  it("a Next route answers every method through one function", async () => {
    await using hookwright = await openOnce();
    const route = await import("../examples/embedding/next-route.ts");
    const { api_key } = await hookwright.apiKeys.create("acc_bakery", { name: "Next" });
    const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
    const url = "http://localhost/integrations/v1/webhooks";
    const created = await route.POST(
      new Request(url, { method: "POST", headers, body: JSON.stringify(webhook) }),
    );
    expect(created.status).toBe(201);
    expect(await (await route.GET(new Request(url, { headers }))).json()).toMatchObject({
      data: [{ event: "order.created" }],
    });
  });
});

it("every example answers whose fault it is that a review was not kept", async () => {
  const { hookwright, submitReview } = await import("../examples/embedding/bakery.ts");
  await using _ = hookwright;
  expect(await submitReview({ ...review, rating: "five" })).toEqual({
    status: 422,
    text: "data.rating: must be a number",
  });
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const fault = new Error("the disk is gone");
  const answered = await submitReview({
    get id() {
      throw fault;
    },
  });
  expect(answered).toEqual({ status: 500, text: "The review was not kept. Please try again later." });
  expect(logged.mock.calls).toEqual([[fault]]);
  logged.mockRestore();
});

it.each(["h3 1", "h3 2"] as const)("a route of Nitro and Nuxt serves the API on %s", async (version) => {
  vi.resetModules();
  // First, so that the API itself keeps the h3 it was made for.
  await using hookwright = await openOnce();
  await using server = await serveRoute(
    version,
    "/integrations/**",
    () => import("../examples/embedding/nitro-route.ts"),
  );
  const { api_key: apiKey } = await hookwright.apiKeys.create("acc_bakery", { name: "Nitro" });
  const api = `${server.origin}/integrations/v1`;
  expect((await post(`${api}/webhooks`, webhook, apiKey)).status).toBe(201);
  const listed = await fetch(`${api}/webhooks?limit=1`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(await listed.json()).toMatchObject({ data: [{ event: "order.created" }] });
});

it("what could not be opened is opened by the next one who asks", async () => {
  Reflect.deleteProperty(globalThis, "hookwright");
  vi.stubEnv("HOOKWRIGHT_SECRET", "short");
  const { hookwright } = await import("../examples/embedding/opened-once.ts");
  await expect(hookwright()).rejects.toThrow("secret");
  vi.unstubAllEnvs();
  await using opened = await hookwright();
  expect(await hookwright()).toBe(opened);
});

it("what Nitro starts with opens one Hookwright for the process, and its end closes it", async () => {
  const hookwright = await openOnce();
  const { default: start } = await import("../examples/embedding/nitro-plugin.ts");
  const closers: (() => Promise<void>)[] = [];
  start({ hooks: { hook: (_, close) => void closers.push(close) } });
  const again = await import("../examples/embedding/opened-once.ts");
  expect(await again.hookwright()).toBe(hookwright);
  expect(hookwright.scheduler.running).toBe(true);
  for (const close of closers) await close();
  expect(hookwright.scheduler.running).toBe(false);
});

it("what Next starts with opens Hookwright in Node alone, and closes it before the process ends", async (context) => {
  Reflect.deleteProperty(globalThis, "hookwright");
  const { register } = await import("../examples/embedding/next-instrumentation.ts");
  vi.stubEnv("NEXT_RUNTIME", "edge");
  await register();
  expect(globalThis).not.toHaveProperty("hookwright");
  vi.stubEnv("NEXT_RUNTIME", "nodejs");
  const { promise: ended, resolve: exit } = Promise.withResolvers<unknown>();
  const { exit: realExit } = process;
  context.onTestFinished(() => {
    vi.unstubAllEnvs();
    Object.assign(process, { exit: realExit });
  });
  Object.assign(process, { exit });
  const others = process.listeners("SIGTERM");
  await register();
  const close = process.listeners("SIGTERM").find((listener) => !others.includes(listener));
  expect(process.listeners("SIGINT")).toContain(close);
  const { hookwright } = await import("../examples/embedding/opened-once.ts");
  const opened = await hookwright();
  expect(opened.scheduler.running).toBe(true);
  close?.("SIGTERM");
  expect(await ended).toBe(0);
  expect(opened.scheduler.running).toBe(false);
});
