import { createSignedHeaders } from "@hookwright/signature";
import express from "express";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { askBehindLength } from "./support/ask-behind-length.ts";
import { postLength } from "./support/post-length.ts";
import { review } from "./support/review.ts";
import { serveRoute } from "./support/serve-route.ts";
import { startExample } from "./support/start-example.ts";

const secret = "whsec_example";
const event = {
  id: "review.submitted_rev_1",
  event: "review.submitted",
  project: { id: "site_shop", name: "Shop", timezone: "Europe/London" },
  data: review,
};
const body = JSON.stringify(event);

const longest = JSON.stringify({ ...event, data: { ...review, content: "x".repeat(4_900_000) } });

/** A delivery whose body, on the way, became `sent`. */
async function deliver(
  send: (request: Request) => Promise<Response>,
  url: string,
  sent = body,
  signed = body,
) {
  const headers = await createSignedHeaders({
    body: signed,
    secret,
    event: event.event,
    deliveryId: "dlv_1",
  });
  return (await send(new Request(url, { method: "POST", headers, body: sent }))).status;
}

describe.concurrent("the example of receiving in", { timeout: 60_000 }, () => {
  it.each(["node-http", "express", "fastify", "h3", "hono"])(
    "%s takes what is signed, once, and nothing else",
    async (name) => {
      await using server = await startExample(`receiving/${name}`, { WEBHOOK_SECRET: `whsec_new,${secret}` });
      const url = `${server.origin}/webhooks`;
      expect(await deliver(fetch, url)).toBe(204);
      expect(await deliver(fetch, url)).toBe(204);
      expect(await deliver(fetch, url, body.replace('"rating":5', '"rating":1'))).toBe(401);
      expect(await deliver(fetch, url, JSON.stringify(event, null, 2))).toBe(401);
      expect((await fetch(url)).status).toBeOneOf([404, 405]);
      expect(server.printed().match(/5 stars: Worth the walk/gu)).toHaveLength(1);
      expect(server.printed()).toContain("signature_mismatch");
    },
  );

  it.each(["node-http", "express", "fastify", "h3", "hono"])(
    "%s takes the longest delivery, and keeps no body that is longer than any",
    async (name) => {
      await using server = await startExample(`receiving/${name}`, { WEBHOOK_SECRET: secret });
      expect(await postLength(`${server.origin}/webhooks`, 2 ** 23 + 1)).toBe(413);
      // An order of a thousand lines with the longest of names.
      expect(await deliver(fetch, `${server.origin}/webhooks`, longest, longest)).toBe(204);
    },
  );

  it("node-http answers what comes on the same connection behind a body that is far too long", async () => {
    await using server = await startExample("receiving/node-http", { WEBHOOK_SECRET: secret });
    expect(await askBehindLength(`${server.origin}/webhooks`, 2 ** 25)).toBe(404);
  });
});

describe("the example of a route file", () => {
  beforeAll(() => {
    vi.stubEnv("WEBHOOK_SECRET", secret);
    vi.spyOn(console, "log").mockImplementation(() => {});
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("of Next takes what is signed, and nothing else", async () => {
    const { POST } = await import("../examples/receiving/next-route.ts");
    expect(await deliver(POST, "http://localhost/webhooks")).toBe(204);
    expect(await deliver(POST, "http://localhost/webhooks", `${body} `)).toBe(401);
  });

  it("of a Worker takes what is signed, and nothing else", async () => {
    const { default: worker } = await import("../examples/receiving/worker.ts");
    const send = (request: Request) => worker.fetch(request, { WEBHOOK_SECRET: `whsec_new,${secret}` });
    expect(await deliver(send, "http://localhost/webhooks")).toBe(204);
    expect(await deliver(send, "http://localhost/webhooks", `${body} `)).toBe(401);
    expect(await deliver(send, "http://localhost/elsewhere")).toBe(404);
  });

  it.each(["h3 1", "h3 2"] as const)("of Nitro and Nuxt does so on %s", async (version) => {
    vi.resetModules();
    await using server = await serveRoute(
      version,
      "/webhooks",
      () => import("../examples/receiving/nitro-route.ts"),
    );
    expect(await deliver(fetch, `${server.origin}/webhooks`)).toBe(204);
    expect(await deliver(fetch, `${server.origin}/webhooks`, `${body} `)).toBe(401);
  });

  it("and a body parser in front of a receiver is named in what it logs", async () => {
    const { receive } = await import("../examples/receiving/receive.ts");
    const app = express().use(express.json());
    app.post("/webhooks", async (request, response) => {
      response.sendStatus(await receive({ body: request.body, headers: request.headers }));
    });
    const server = app.listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      expect(await deliver(fetch, `http://127.0.0.1:${port}/webhooks`)).toBe(401);
      expect(console.warn).toHaveBeenLastCalledWith(expect.stringContaining("body_not_raw: body is parsed"));
    } finally {
      server.close();
    }
  });
});
