import { createSignedHeaders, verify } from "@hookwright/signature";
import type { SignatureError, VerifyOptions } from "@hookwright/signature";
import express from "express";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { requestAfterBody } from "./support/request-after-body.ts";
import { body, deliver, event, secret } from "./support/deliver.ts";
import { readGuide } from "./support/read-guide.ts";
import { postBytes } from "./support/post-bytes.ts";
import { review } from "./support/review.ts";
import { serveRoute } from "./support/serve-route.ts";
import { startExample } from "./support/start-example.ts";

const guide = new URL("../guide/receiving.md", import.meta.url);

const longest = JSON.stringify({ ...event, data: { ...review, content: "x".repeat(4_900_000) } });

/** For lines that a server prints beside its response. */
const patience = { timeout: 30_000 };

const servers = ["node-http", "express", "express-json", "fastify", "h3", "hono"];

describe.concurrent("the receiving example with", { timeout: 60_000 }, () => {
  it.each(servers)("%s handles a signed event once and refuses unsigned requests", async (name) => {
    await using server = await startExample(`receiving/${name}`, { WEBHOOK_SECRET: `whsec_new,${secret}` });
    const url = `${server.origin}/webhooks`;
    expect(await deliver(fetch, url, { test: true })).toBe(204);
    expect(server.printed()).not.toContain("5 stars");
    expect(await deliver(fetch, url)).toBe(204);
    expect(await deliver(fetch, url)).toBe(204);
    expect(await deliver(fetch, url, { sent: body.replace('"rating":5', '"rating":1') })).toBe(401);
    expect(await deliver(fetch, url, { sent: JSON.stringify(event, null, 2) })).toBe(401);
    expect(await deliver(fetch, url, { timestamp: 1 })).toBe(401);
    expect(await deliver(fetch, url, { sent: "" })).toBe(401);
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
    expect(await deliver(fetch, url, { signed: "{}" })).toBe(400);
    expect((await fetch(url)).status).toBeOneOf([404, 405]);
    await vi.waitFor(() => expect(server.printed()).toContain("signature_mismatch"), patience);
    expect(server.printed().match(/5 stars: Worth the walk/gu)).toHaveLength(1);
  });

  it.each(servers)("%s accepts a delivery of maximum size and refuses larger bodies", async (name) => {
    await using server = await startExample(`receiving/${name}`, { WEBHOOK_SECRET: secret });
    expect(await postBytes(`${server.origin}/webhooks`, 2 ** 23 + 1)).toBe(413);
    // About the size of an order with a thousand lines and very long names.
    expect(await deliver(fetch, `${server.origin}/webhooks`, { signed: longest })).toBe(204);
  });

  it("node-http serves the next request on the same connection after an oversized body", async () => {
    await using server = await startExample("receiving/node-http", { WEBHOOK_SECRET: secret });
    expect(await requestAfterBody(`${server.origin}/webhooks`, 2 ** 25)).toBe(404);
  });

  it("express logs that the secret is not set", async () => {
    await using server = await startExample("receiving/express", { WEBHOOK_SECRET: "" });
    expect(await deliver(fetch, `${server.origin}/webhooks`)).toBe(500);
    await vi.waitFor(
      () => expect(server.printed()).toContain("no_secret: secret is empty or missing: is its variable set?"),
      patience,
    );
  });

  it("express-json logs an empty body if the content type is not JSON", async () => {
    await using server = await startExample("receiving/express-json", { WEBHOOK_SECRET: secret });
    const asText: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      request.headers.set("content-type", "text/plain");
      return fetch(request);
    };
    expect(await deliver(asText, `${server.origin}/webhooks`)).toBe(401);
    await vi.waitFor(() => expect(server.printed()).toContain("signature_mismatch: body is empty"), patience);
  });
});

describe("the receiving example for", () => {
  beforeAll(() => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });
  beforeEach(() => {
    // Each example gets its own duplicate guard.
    vi.resetModules();
    vi.mocked(console.log).mockClear();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("a Next route can be imported without the secret, and accepts signed events", async () => {
    vi.stubEnv("WEBHOOK_SECRET", undefined);
    const { POST } = await import("../examples/receiving/webhooks/route.ts");
    expect(await deliver(POST, "http://localhost/webhooks")).toBe(500);
    vi.stubEnv("WEBHOOK_SECRET", secret);
    expect(await tryReceiver(POST, "http://localhost/webhooks")).toEqual(expected);
  });

  it("a Worker accepts signed events", async () => {
    const { default: worker } = await import("../examples/receiving/worker.ts");
    const send = (request: Request) => worker.fetch(request, { WEBHOOK_SECRET: `whsec_new,${secret}` });
    expect(await tryReceiver(send, "http://localhost/webhooks")).toEqual(expected);
    expect(await deliver(send, "http://localhost/elsewhere")).toBe(404);
  });

  it.each(["h3 1", "h3 2"] as const)("Nitro and Nuxt accepts signed events on %s", async (version) => {
    vi.stubEnv("WEBHOOK_SECRET", secret);
    await using server = await serveRoute(
      version,
      "/webhooks",
      () => import("../examples/receiving/routes/webhooks.post.ts"),
    );
    expect(await tryReceiver(fetch, `${server.origin}/webhooks`)).toEqual(expected);
  });

  it.each([true, false])("Lambda accepts signed events (isBase64Encoded: %s)", async (isBase64Encoded) => {
    vi.stubEnv("WEBHOOK_SECRET", secret);
    const { handler } = await import("../examples/receiving/lambda.ts");
    const send = async (request: Request) => {
      const bytes = Buffer.from(await request.arrayBuffer());
      const { statusCode } = await handler({
        body: bytes.toString(isBase64Encoded ? "base64" : "utf8"),
        headers: Object.fromEntries(request.headers),
        isBase64Encoded,
      });
      return new Response(null, { status: statusCode });
    };
    expect(await tryReceiver(send, "http://localhost/webhooks")).toEqual(expected);
  });
});

/** Returns the status of each kind of request, and the lines that the handler prints. */
async function tryReceiver(send: (request: Request) => Promise<Response>, url: string) {
  const prints = () => vi.mocked(console.log).mock.calls.splice(0).flat();
  return {
    test: [await deliver(send, url, { test: true }), ...prints()],
    event: [await deliver(send, url), ...prints()],
    changed: [await deliver(send, url, { sent: `${body} ` }), ...prints()],
    nothing: [await deliver(send, url, { sent: "" }), ...prints()],
    noEvent: [await deliver(send, url, { signed: "{}" }), ...prints()],
  };
}

const expected = {
  test: [204],
  event: [204, "5 stars: Worth the walk"],
  changed: [401],
  nothing: [401],
  noEvent: [400],
};

it("this file tests every file of the guide", () => {
  const shown = readGuide(guide).flatMap(({ file }) =>
    file === undefined ? [] : [path.basename(file, ".ts")],
  );
  const others = ["receive", "route", "webhooks.post", "lambda", "worker"];
  expect(shown.toSorted()).toEqual([...servers, ...others].toSorted());
});

describe("the log of a receiver", () => {
  beforeAll(() => {
    vi.stubEnv("WEBHOOK_SECRET", secret);
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("reports that a body parser has parsed the body", async () => {
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
      expect(await deliver(fetch, `http://127.0.0.1:${port}/webhooks`)).toBe(500);
      expect(console.warn).toHaveBeenLastCalledWith(
        "body_not_raw: body is parsed (object): pass the raw body",
      );
    } finally {
      server.close();
    }
  });

  it("contains the messages that the guide lists for each mistake", async () => {
    const timestamp = 1_800_000_000;
    const headers = await createSignedHeaders({
      body,
      secret,
      event: event.event,
      deliveryId: "dlv_1",
      timestamp,
    });
    const good: VerifyOptions = { body, headers, secrets: secret, now: timestamp };
    const inMilliseconds = { ...headers, "X-Service-Timestamp": `${timestamp}000` };
    const logged = await Promise.all(
      [
        { secrets: "" },
        { body: JSON.parse(body) },
        { body: JSON.parse("null") },
        { body: "" },
        { body: Buffer.from(body).toString("base64") },
        { secrets: "whsec_other" },
        { now: timestamp + 301 },
        { now: timestamp * 1_000 },
        { headers: inMilliseconds },
      ].map((mistake) =>
        verify({ ...good, ...mistake }).catch(({ code, message }: SignatureError) => `${code}: ${message}`),
      ),
    );
    const rows = [...readFileSync(guide, "utf8").matchAll(/^\| `(\w+: .*?)` \|/gmu)];
    const listed = rows.map(([, text = ""]) => text);
    expect(logged).toEqual(listed.map((text) => expect.stringContaining(text)));
  });
});
