import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Hookwright } from "hookwright";
import type * as Bakery from "../examples/embedding/bakery.ts";
import { apps } from "./support/apps.ts";
import { requestAfterBody } from "./support/request-after-body.ts";
import { makeFolder } from "./support/make-folder.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { postBytes } from "./support/post-bytes.ts";
import { postOversizedBody } from "./support/post-oversized-body.ts";
import { readCurl } from "./support/read-curl.ts";
import { review } from "./support/review.ts";
import { serveRoute } from "./support/serve-route.ts";
import { startExample } from "./support/start-example.ts";
import type { RunningProgram } from "./support/start-program.ts";

const secret = "a test secret of 32 characters!!";
const frameworks = ["node-http", "express", "fastify", "h3", "hono"];
const webhook = { event: "order.created", target_url: "https://hooks.example.com/orders" };

const closed = { statuses: ["413"], connection: "close" };

/** Starts an example of the guide in `folder` or in an empty folder. */
async function start(name: string, folder?: string): Promise<RunningProgram> {
  const environment = { HOOKWRIGHT_SECRET: secret };
  return startExample(`embedding/${name}`, environment, { folder: folder ?? (await makeFolder()) });
}

function readApiKey(server: RunningProgram): string {
  return /API key, shown only now: (hwk_\S+)/u.exec(server.printed())?.[1] ?? "";
}

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

/** Opens the Hookwright of the examples for Next and Nitro, with an account. */
async function openShared(): Promise<Hookwright> {
  Reflect.deleteProperty(globalThis, "hookwright");
  vi.stubEnv("HOOKWRIGHT_SECRET", secret);
  vi.stubEnv("DATA", await makeFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { hookwright } = await import("../examples/embedding/next/lib/hookwright.ts");
  const opened = await hookwright();
  await opened.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
  return opened;
}

describe.each(frameworks)("the embedding example with %s", (name) => {
  let server: RunningProgram;
  beforeAll(async () => {
    server = await start(name);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("serves shop and API, and publishes", async () => {
    const api = `${server.origin}/integrations`;
    const apiKey = readApiKey(server);

    expect(await (await fetch(server.origin)).text()).toBe("The shop");
    const me = await fetch(`${api}/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await me.json()).toMatchObject({ data: { id: "acc_bakery" } });

    // The whole body reaches the API, and the API refuses a body that is not JSON, not the framework.
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

    // The base path itself leads to the reference, with and without a slash.
    for (const path of ["", "/", "?from=mail"]) {
      const home = await fetch(`${api}${path}`, { redirect: "manual" });
      expect([path, home.status, home.headers.get("location")]).toEqual([
        path,
        302,
        "/integrations/reference",
      ]);
    }

    // The API is served only under the base path, and its document names it.
    expect((await (await fetch(`${server.origin}/v1/me`)).text()).includes("missing_api_key")).toBe(false);
    expect(await (await fetch(`${api}/v1/openapi.json`)).json()).toMatchObject({
      servers: [{ url: expect.stringContaining("/integrations") }],
    });

    // The developer site is served whole, with the files that it loads.
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
    const { id: _, ...anonymous } = review;
    const wrong = await post(`${server.origin}/reviews`, anonymous);
    expect([wrong.status, await wrong.text()]).toEqual([422, "data.id: is required"]);

    // A body that is not JSON, is empty or is too large gets a clear error without a stack trace.
    const noJson = await send(`${server.origin}/reviews`, "{");
    expect([noJson.status, await noJson.text()]).toEqual([400, expect.stringMatching(/^[^<]*JSON/u)]);
    for (const body of ["", JSON.stringify({ ...review, content: "x".repeat(1_000_000) })]) {
      const refused = await send(`${server.origin}/reviews`, body);
      expect(refused.status).toBeOneOf([400, 413, 422]);
      expect(await refused.text()).toMatch(/^[^<]*(?:empty|JSON|required|large|at most)/u);
    }
    expect(server.printed()).not.toMatch(/^\s+at /mu);
  });

  it("refuses oversized bodies and serves the next request", async () => {
    const reviews = `${server.origin}/reviews`;
    expect(await postBytes(reviews, 2 ** 20 + 1)).toBe(413);
    // Frameworks that do not read the rest of the body close the connection, and say so.
    if (["h3", "hono"].includes(name))
      expect(await postOversizedBody(reviews, { sent: "headers" })).toMatchObject(closed);
    else if (name !== "fastify") expect(await requestAfterBody(reviews, 2 ** 25)).toBeOneOf([200, 404]);
    expect((await post(reviews, review)).status).toBe(201);

    const apiKey = readApiKey(server);
    for (const sent of ["headers", "length", "chunked"] as const) {
      const webhooks = `${server.origin}/integrations/v1/webhooks`;
      const refused = await postOversizedBody(webhooks, { apiKey, sent });
      expect(refused).toMatchObject(closed);
      expect(JSON.parse(refused.body)).toMatchObject({
        success: false,
        error: { code: "validation_failed" },
      });
      expect((await post(webhooks, webhook, apiKey)).status).toBeOneOf([200, 201]);
    }
  });

  it("exits with code 0", async () => {
    // Both signals are in one line of each example.
    const signal = name === "express" ? "SIGTERM" : "SIGINT";
    expect(await server.stop(signal)).toEqual({ code: 0, signal: null });
  });
});

describe.concurrent("the embedding example with", { timeout: 60_000 }, () => {
  it("node-http keeps its key, reviews and webhooks after a restart", async () => {
    const folder = await makeFolder();
    let apiKey = "";
    {
      await using server = await start("node-http", folder);
      apiKey = readApiKey(server);
      expect((await post(`${server.origin}/reviews`, review)).status).toBe(201);
      expect((await post(`${server.origin}/integrations/v1/webhooks`, webhook, apiKey)).status).toBe(201);
      expect(await server.stop()).toEqual({ code: 0, signal: null });
    }
    await using server = await start("node-http", folder);
    expect(readApiKey(server)).toBe("");
    const headers = { authorization: `Bearer ${apiKey}` };
    const api = `${server.origin}/integrations/v1`;
    const samples = await fetch(`${api}/event-types/review.submitted/samples`, { headers });
    expect(await samples.json()).toMatchObject({ data: [{ id: "review.submitted_rev_1" }] });
    expect(await (await fetch(`${api}/webhooks`, { headers })).json()).toMatchObject({
      data: [{ event: "order.created" }],
    });
  });

  it("the commands of the guide start the shop, create a webhook and deliver a review", async () => {
    const page = await readFile(new URL("../guide/embedding.md", import.meta.url), "utf8");
    const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].map(([, command = ""]) => command);
    const [, writeSecret = "", startCommand = "", createWebhook = "", writeReview = "", ...others] = commands;
    expect(others).toEqual([]);
    const folder = await makeFolder();
    await promisify(execFile)("sh", ["-c", writeSecret], { cwd: folder });
    const [, option = "", file = ""] = /^node (--env-file=\S+) (\S+)\.ts\n$/u.exec(startCommand) ?? [];
    await using server = await startExample(`embedding/${file}`, {}, { folder, options: [option] });
    await using receiver = await openReceiver();
    const follow = async (command: string): Promise<Response> => {
      const here = command
        .replace("http://127.0.0.1:3000", server.origin)
        .replace("http://127.0.0.1:8080/webhooks", receiver.url)
        .replace("hwk_…", readApiKey(server));
      return fetch(await readCurl(here));
    };
    const created = await follow(createWebhook);
    const { data } = await created.json();
    expect([created.status, data]).toMatchObject([201, { event: "review.submitted" }]);
    receiver.secrets.push(String(data.signing_secret));
    expect((await follow(writeReview)).status).toBe(201);
    expect(await receiver.arrived).toMatchObject({ id: "review.submitted_rev_1", data: review });
  });

  it("express refuses to start without a secret and explains how to create one", async () => {
    const started = startExample(
      "embedding/express",
      { HOOKWRIGHT_SECRET: "" },
      { folder: await makeFolder() },
    );
    await expect(started).rejects.toThrow(
      "secret: must be text of at least 32 characters. `openssl rand -base64 32` creates one",
    );
  });
});

it("a Next route serves all methods", async () => {
  await using hookwright = await openShared();
  const route = await import("../examples/embedding/next/app/integrations/[[...path]]/route.ts");
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

/** Loads the shared module of the examples again, as a new process would. */
async function loadBakery(folder: string, start: number) {
  vi.stubEnv("HOOKWRIGHT_SECRET", secret);
  vi.stubEnv("DATA", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { href } = new URL(`../examples/embedding/bakery.ts?start=${start}`, import.meta.url);
  const bakery: typeof Bakery = await import(/* @vite-ignore */ href);
  return bakery;
}

it("the shop restarts if its account has the maximum number of keys", async () => {
  const logged = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const folder = await makeFolder();
  const { hookwright, close } = await loadBakery(folder, 1);
  const create = () => hookwright.apiKeys.create("acc_bakery", { name: "Another" });
  await Promise.all(Array.from({ length: 99 }, create));
  await expect(create()).rejects.toMatchObject({ code: "invalid_state" });
  await close();
  const again = await loadBakery(folder, 2);
  expect(await again.submitReview(review)).toEqual({ status: 201, text: "review.submitted_rev_1" });
  await again.close();
  expect(logged.mock.calls).toEqual([[expect.stringMatching(/^API key, shown only now: hwk_/u)]]);
});

it("the response explains why a review was not stored", async () => {
  const logs = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => logs.mockRestore());
  const { close, submitReview } = await loadBakery(await makeFolder(), 0);
  expect(await submitReview({ ...review, title: { text: "Worth it" } })).toEqual({
    status: 422,
    text: "data.title: must be text",
  });
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const thrown = new Error("the disk is gone");
  const answered = await submitReview({
    get id() {
      throw thrown;
    },
  });
  expect(answered).toEqual({ status: 500, text: "The review was not stored. Please try again later." });
  expect(logged.mock.calls).toEqual([[thrown]]);
  logged.mockRestore();
  await close();
});

it.each(["h3 1", "h3 2"] as const)("a Nitro and Nuxt route serves the API on %s", async (version) => {
  vi.resetModules();
  // Opened first, so that the API keeps its own version of h3.
  await using hookwright = await openShared();
  await using server = await serveRoute(
    version,
    "/integrations/**",
    () => import("../examples/embedding/nitro/server/routes/integrations/[...].ts"),
  );
  const { api_key: apiKey } = await hookwright.apiKeys.create("acc_bakery", { name: "Nitro" });
  const api = `${server.origin}/integrations/v1`;
  expect((await post(`${api}/webhooks`, webhook, apiKey)).status).toBe(201);
  const listed = await fetch(`${api}/webhooks?limit=1`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(await listed.json()).toMatchObject({ data: [{ event: "order.created" }] });
  await using home = await serveRoute(
    version,
    "/integrations",
    () => import("../examples/embedding/nitro/server/routes/integrations/index.ts"),
  );
  for (const path of ["/integrations", "/integrations/"]) {
    const led = await fetch(`${home.origin}${path}`, { redirect: "manual" });
    expect([path, led.status, led.headers.get("location")]).toEqual([path, 302, "/integrations/reference"]);
  }
  for (const sent of ["headers", "length", "chunked"] as const) {
    const refused = await postOversizedBody(`${api}/webhooks`, { apiKey, sent });
    expect(refused).toMatchObject(closed);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: "validation_failed" } });
  }
});

it("the files for Next and Nitro in the guide are the built files, with the same paths", async () => {
  const page = await readFile(new URL("../guide/embedding.md", import.meta.url), "utf8");
  const shown = [...page.matchAll(/^```(?:ts|js) file=docs\/examples\/embedding\/((?:next|nitro)\/.*)$/gmu)];
  const built = new Map(apps.flatMap(({ places }) => Object.entries(places)));
  expect(shown.length).toBe(10);
  for (const [, file = ""] of shown) {
    const place = built.get(file);
    expect([file, place]).toEqual([file, expect.any(String)]);
    // A configuration has another name for each framework.
    if (file.endsWith(".config.mjs")) continue;
    expect(file.replace(/^\w+\//u, "")).toBe(place);
    expect([place, page.includes(`\`${place}\``)]).toEqual([place, true]);
  }
});

it("Next and Nitro share one file that opens Hookwright", async () => {
  const read = (place: string) =>
    readFile(new URL(`../examples/embedding/${place}`, import.meta.url), "utf8");
  expect(await read("nitro/server/lib/hookwright.ts")).toBe(await read("next/lib/hookwright.ts"));
});

it("the next call retries if Hookwright could not be opened", async () => {
  Reflect.deleteProperty(globalThis, "hookwright");
  vi.stubEnv("DATA", await makeFolder());
  vi.stubEnv("HOOKWRIGHT_SECRET", "short");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { hookwright } = await import("../examples/embedding/next/lib/hookwright.ts");
  await expect(hookwright()).rejects.toThrow("secret");
  vi.stubEnv("HOOKWRIGHT_SECRET", secret);
  await using opened = await hookwright();
  expect(await hookwright()).toBe(opened);
});

it("the Nitro plugin opens one Hookwright per process and closes it at the end", async () => {
  const hookwright = await openShared();
  const { default: start } = await import("../examples/embedding/nitro/server/plugins/hookwright.ts");
  const closers: (() => Promise<void>)[] = [];
  start({ hooks: { hook: (_, close) => void closers.push(close) } });
  const again = await import("../examples/embedding/next/lib/hookwright.ts");
  expect(await again.hookwright()).toBe(hookwright);
  expect(hookwright.scheduler.running).toBe(true);
  for (const close of closers) await close();
  expect(hookwright.scheduler.running).toBe(false);
});

it("the Next instrumentation opens Hookwright only in Node, and closes it before the process ends", async (context) => {
  Reflect.deleteProperty(globalThis, "hookwright");
  vi.stubEnv("HOOKWRIGHT_SECRET", secret);
  vi.stubEnv("DATA", await makeFolder());
  const { register } = await import("../examples/embedding/next/instrumentation.ts");
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
  const { hookwright } = await import("../examples/embedding/next/lib/hookwright.ts");
  const opened = await hookwright();
  expect(opened.scheduler.running).toBe(true);
  close?.("SIGTERM");
  expect(await ended).toBe(0);
  expect(opened.scheduler.running).toBe(false);
});

it("the checks of the guide open the data, print a line for each, and close it", async () => {
  vi.stubEnv("HOOKWRIGHT_SECRET", secret);
  vi.stubEnv("DATA", await makeFolder());
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const { exitCode } = process;
  onTestFinished(() => {
    vi.unstubAllEnvs();
    print.mockRestore();
    process.exitCode = exitCode;
  });
  await import("../examples/embedding/doctor.ts");
  const lines = String(print.mock.calls[0]?.[0]).split("\n");
  expect(lines).toHaveLength(15);
  expect(lines[2]).toMatch(/^ok {7}storage {5}the filesystem storage: reads take .+ ms\)$/u);
  expect(lines[5]).toBe("ok       secret      secret has 32 characters. Nothing is encrypted yet");
});
