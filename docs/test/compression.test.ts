import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import fastifyCompress from "@fastify/compress";
import { getRequestListener } from "@hono/node-server";
import { memoryStore } from "@hookwright/storage/memory";
import compression from "compression";
import express from "express";
import Fastify from "fastify";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { createApp, fromWebHandler, toNodeListener } from "h3-1";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { hookwrightPlugin } from "hookwright/fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { readStream } from "./support/read-stream.ts";

const basePath = "/integrations";
const account = { email: "owner@example.com", password: "correct horse battery" };

const middleware = compression();

/** For frameworks that have no compression of their own. */
function compressed(listener: RequestListener): RequestListener {
  // Its types are those of Express, but it needs only what Node has.
  return (request, response) =>
    void Reflect.apply(middleware, undefined, [request, response, () => listener(request, response)]);
}

/** The usual compression in front of Hookwright, which is mounted as in the guide. */
const frameworks: Readonly<Record<string, (hookwright: Hookwright) => RequestListener>> = {
  "Node http": ({ handler }) => compressed(handler),
  Express: ({ handler }) => express().use(middleware).use(basePath, handler),
  Fastify(hookwright) {
    const app = Fastify();
    const ready = app.register(fastifyCompress).register(hookwrightPlugin, { hookwright }).ready();
    return (request, response) => void Promise.resolve(ready).then(() => app.routing(request, response));
  },
  "h3 2": ({ app }) => compressed(toNodeHandler(new H3().mount(basePath, app))),
  "h3 1, as in Nitro 2 and Nuxt": (hookwright) =>
    compressed(toNodeListener(createApp().use(fromWebHandler((request) => hookwright.fetch(request))))),
  Hono(hookwright) {
    const app = new Hono().use(compress());
    app.all(`${basePath}/*`, ({ req }) => hookwright.fetch(req.raw));
    // Otherwise it replaces the global `Response` for the other frameworks too, and h3 1 no longer recognises a response.
    return getRequestListener(app.fetch, { overrideGlobalObjects: false });
  },
};

let hookwright: Hookwright;
let apiKey = "";
let token = "";

beforeAll(async () => {
  hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
    basePath,
    logger: { info() {}, warn() {}, error() {} },
  });
  await hookwright.accounts.put("acc_1", account);
  await hookwright.projects.put("site_1", { account_id: "acc_1" });
  ({ api_key: apiKey } = await hookwright.apiKeys.create("acc_1", { name: "Test" }));
  ({ token } = await hookwright.sessions.create(account));
});
afterAll(() => hookwright.close());

async function serve(framework: string) {
  const listen = frameworks[framework];
  if (listen === undefined) throw new Error(`${framework} is unknown`);
  const server = await listenLocally(createServer(listen(hookwright)));
  const api = `${server.origin}${basePath}`;
  return {
    api,
    async post(path: string, body: object): Promise<string> {
      const response = await fetch(api + path, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(201);
      return (await response.json()).data.id;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe.concurrent.each(Object.keys(frameworks))("behind the compression of %s", (framework) => {
  it("events of a listener and of a console arrive as they happen, uncompressed", async () => {
    await using server = await serve(framework);
    const { api, post } = server;
    const id = await post("/developer/v1/listeners", {});
    const listened = readStream(`${api}/developer/v1/listeners/${id}/events`, apiKey, "event: delivery");
    const watched = readStream(`${api}/console/api/events`, token, "event: webhook");
    await readStream(`${api}/console/api/events`, token, ": connected");
    await post("/developer/v1/trigger", { event: "order.paid" });
    const target_url = `https://hooks.example.com/${encodeURIComponent(framework)}`;
    await post("/v1/webhooks", { event: "order.paid", target_url });
    for (const { headers, text } of await Promise.all([listened, watched])) {
      expect(text).toContain("event: ");
      expect(headers.get("content-encoding")).toBeNull();
    }
  });
});

it.each(["Node http", "Express", "Hono"])(
  "the compression of %s compresses long responses",
  async (framework) => {
    await using server = await serve(framework);
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${server.api}/v1/event-types`, { headers });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect((await response.json()).data).toHaveLength(7);
  },
);
