import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runToEnd, startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { until } from "./support/fleet.ts";
import { call, hostToken } from "./support/host-api.ts";

const run = promisify(execFile);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "hookwright-demo-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function startDemo(storage: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({
    args: ["serve", "--demo"],
    env: { HOOKWRIGHT_STORAGE: storage, HOOKWRIGHT_DEMO_TRAFFIC: "off", ...env },
  });
  await server.waitFor(/Ctrl-C stops the server/u);
  return server;
}

/** The printed commands as a user would copy them: indented and on several lines. */
function commandsOf(stdout: string): string[] {
  return [...stdout.matchAll(/^ {2}# .*\n((?: {2}.*\n)+)/gmu)].map(([, command = ""]) => command);
}

async function paste(command: string, env: Record<string, string> = {}): Promise<unknown> {
  const { stdout } = await run("bash", ["-c", command], { env: { PATH: process.env["PATH"] ?? "", ...env } });
  return JSON.parse(stdout);
}

function keyOf(server: ServerProcess): string {
  return /API key +(hwk_\S+)/u.exec(server.stdout)?.[1] ?? "";
}

async function get(
  server: ServerProcess,
  path: string,
  key: string,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(server.url + path, { headers: { Authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

describe.each(["memory", "file"])("the demo on %s storage", (type) => {
  const storage = (): string => (type === "memory" ? "memory" : `file:${join(directory, "data")}`);

  it("shows a signed delivery that was sent and verified, with its duration", async () => {
    await using server = await startDemo(storage());
    expect(server.stdout).toMatch(/Signed delivery sent and verified in \d+(?:\.\d+)? ms/u);
    expect(server.stdout).toMatch(
      /event +order\.created\n +delivery +dlv_\w+\n +answer +204, signature verified/u,
    );
    expect(server.stdout).toMatch(/e-mail +demo@example\.com\n +password +\S{16,}/u);
    expect((await server.stop()).code).toBe(0);
    expect(server.stderr).toBe("");
  });

  it("prints three commands that work when pasted", async () => {
    await using server = await startDemo(storage());
    const [list = "", create = "", publish = "", ...more] = commandsOf(server.stdout);
    expect(more).toEqual([]);
    expect(await paste(list)).toMatchObject({
      success: true,
      data: expect.arrayContaining([expect.objectContaining({ id: "ord_demo_1001" })]),
    });
    expect(await paste(create)).toMatchObject({ success: true, data: { event: "order.paid" } });
    expect(await paste(publish)).toMatchObject({
      success: true,
      data: { duplicate: false, deliveries: [expect.stringMatching(/^dlv_/u)] },
    });
    await server.waitFor(/order\.created received, signature verified/u);
    await server.stop();
  });
});

describe("a second start of the demo on the same directory", () => {
  it("has a new key and password, one receiver, and the same records", async () => {
    const storage = `file:${join(directory, "again")}`;
    await using first = await startDemo(storage);
    await first.stop();
    await using second = await startDemo(storage);
    expect(keyOf(second)).not.toBe(keyOf(first));
    expect((await get(second, "/v1/me", keyOf(first))).status).toBe(401);
    expect((await get(second, "/v1/webhooks", keyOf(second))).body).toMatchObject({
      data: [{ event: "order.created" }],
    });
    expect((await get(second, "/v1/orders?number=1002", keyOf(second))).body).toMatchObject({
      data: [{ id: "ord_demo_1002" }],
    });
    await second.stop();
  });

  it("keeps the user's webhook and the key that created it", async () => {
    const storage = `file:${join(directory, "visited")}`;
    await using first = await startDemo(storage);
    await paste(commandsOf(first.stdout)[1] ?? "");
    await first.kill9();
    await using second = await startDemo(storage);
    const { body } = await get(second, "/v1/webhooks", keyOf(first));
    expect(body).toMatchObject({
      data: [{ event: "order.created" }, { target_url: "https://hooks.example.com/orders" }],
    });
    await second.stop();
  });

  it("revokes keys of earlier starts, whatever the user has created", async () => {
    const storage = `file:${join(directory, "restarted")}`;
    const keys: string[] = [];
    for (let start = 1; start <= 3; start++) {
      await using server = await startDemo(storage);
      await paste(commandsOf(server.stdout)[1] ?? "");
      keys.push(keyOf(server));
      await server.stop();
    }
    await using last = await startDemo(storage);
    const statuses = keys.map(async (key) => (await get(last, "/v1/me", key)).status);
    // The first key created the webhook. Revoking it would remove the webhook.
    expect(await Promise.all(statuses)).toEqual([200, 401, 401]);
    await last.stop();
  });
});

describe("a second demo on one storage", () => {
  it("is refused while the first runs, which is not affected", async () => {
    const storage = `file:${join(directory, "shared")}`;
    await using first = await startDemo(storage);
    const second = await runToEnd({ args: ["serve", "--demo"], env: { HOOKWRIGHT_STORAGE: storage } });
    expect(second).toMatchObject({ code: 1, stdout: expect.not.stringContaining("listening") });
    expect(second.stderr).toContain(`another demo uses ${storage} (${first.url}, process ${first.pid})`);
    expect(second.stderr).toContain("stop it, or choose another storage and port");
    expect(second.stderr).not.toMatch(/^\s+at /mu);

    expect((await get(first, "/v1/me", keyOf(first))).status).toBe(200);
    await paste(commandsOf(first.stdout)[2] ?? "");
    await first.waitFor(/order\.created received, signature verified/u);
    await first.stop();
  });

  it("is refused if both start at the same time", async () => {
    const env = { HOOKWRIGHT_STORAGE: `file:${join(directory, "raced")}` };
    const ends = await Promise.allSettled(
      Array.from({ length: 2 }, () => startServer({ args: ["serve", "--demo"], env })),
    );
    const started = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    const refused = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
    expect(started).toHaveLength(1);
    expect(refused).toEqual([expect.stringContaining("another demo uses")]);
    for (const server of started) await server[Symbol.asyncDispose]();
  });

  it("starts if the first was killed", async () => {
    const storage = `file:${join(directory, "killed")}`;
    await using first = await startDemo(storage);
    await first.kill9();
    await using second = await startDemo(storage);
    expect(second.stdout).toMatch(/Signed delivery sent and verified/u);
    await second.stop();
  });
});

describe("a demo that fails", () => {
  it("says what to do", async () => {
    const storage = `file:${join(directory, "full")}`;
    await using first = await startDemo(storage, { HOOKWRIGHT_HOST_TOKEN: hostToken });
    const body = { name: "Mine" };
    for (let key = 1; key < 100; key++)
      await call(first, "/host/v1/accounts/acc_demo/api-keys", { method: "POST", body });
    await paste(commandsOf(first.stdout)[1] ?? "");
    await first.stop();
    await using second = await startServer({
      args: ["serve", "--demo"],
      env: { HOOKWRIGHT_STORAGE: storage },
    });
    const [line] = await second.waitFor(/^.*demo_not_shown.*$/mu);
    expect(JSON.parse(line)).toMatchObject({
      msg: expect.stringContaining("start with `--storage memory`"),
      error: expect.stringContaining("100 API keys"),
    });
    await second.stop();
  });
});

describe("a demo with the operator's host token", () => {
  it("does not print it, and its command reads it from the environment", async () => {
    const env = { HOOKWRIGHT_HOST_TOKEN: "operators-own-token" };
    await using server = await startDemo("memory", env);
    expect(server.stdout).not.toContain(env.HOOKWRIGHT_HOST_TOKEN);
    expect(await paste(commandsOf(server.stdout)[2] ?? "", env)).toMatchObject({ success: true });
    await server.stop();
  });
});

describe("a demo", () => {
  it("has a second login, of an empty account in which a newcomer creates and tests a webhook", async () => {
    await using server = await startDemo("memory");
    const [, email, password] = /new shop +(\S+), password (\S+):/u.exec(server.stdout) ?? [];
    const [, testUrl] = /test URL +(\S+) accepts/u.exec(server.stdout) ?? [];
    const session = await call(server, "/console/api/session", {
      method: "POST",
      body: { email, password },
    });
    const token = String(session["token"]);
    expect((await get(server, "/console/api/webhooks", token)).body).toMatchObject({ data: [] });
    const webhook = await call(server, "/console/api/webhooks", {
      method: "POST",
      token,
      body: { event: "order.created", target_url: testUrl },
    });
    const test = { method: "POST", token };
    expect(await call(server, `/console/api/webhooks/${String(webhook["id"])}/test`, test)).toMatchObject({
      status: 204,
      error: null,
    });
    await server.stop();
  });

  it("allows no private target except its own receiver", async () => {
    await using server = await startDemo("memory");
    const response = await fetch(`${server.url}/v1/webhooks`, {
      method: "POST",
      headers: { Authorization: `Bearer ${keyOf(server)}`, "Content-Type": "application/json" },
      body: JSON.stringify({ event: "order.created", target_url: `${server.url}/somewhere` }),
    });
    expect(await response.json()).toMatchObject({ error: { code: "invalid_target_url" } });
    await server.stop();
  });
});

describe("the traffic of a demo", () => {
  // The test asks more often than a user would.
  const live = { HOOKWRIGHT_DEMO_TRAFFIC: "on", HOOKWRIGHT_RATE_LIMIT: "100000" };

  /** The webhooks of the demo by the last part of their paths. */
  async function endpointsOf(server: ServerProcess): Promise<Map<string, Record<string, unknown>>> {
    const { body } = await get(server, "/v1/webhooks", keyOf(server));
    const { data }: { data: Record<string, unknown>[] } = JSON.parse(JSON.stringify(body));
    return new Map(data.map((webhook) => [String(webhook["target_url"]).split("/").at(-1) ?? "", webhook]));
  }

  it("reaches an endpoint that accepts it, one that fails sometimes and one that always fails", async () => {
    await using server = await startDemo("memory", live);
    expect(server.stdout).toContain("an order every 3 s");
    await until(async () => Number((await endpointsOf(server)).get("broken")?.["consecutive_failures"]) >= 2);
    const endpoints = await endpointsOf(server);
    expect([...endpoints.keys()].toSorted()).toEqual(["broken", "flaky", "hookwright-demo-receiver"]);
    expect(endpoints.get("hookwright-demo-receiver")).toMatchObject({ consecutive_failures: 0 });
    expect(endpoints.get("broken")).toMatchObject({ last_success_at: null });
    // Receipts of traffic would hide those of the user's orders.
    expect(server.stdout).not.toContain("order.created received");
    expect((await server.stop()).code).toBe(0);
    expect(server.stdout).not.toMatch(/"code":"(?:demo_traffic_failed|close_failed)"/u);
  });

  it("has three webhooks after a second start too", async () => {
    const storage = `file:${join(directory, "traffic")}`;
    await using first = await startDemo(storage, live);
    await until(async () => (await endpointsOf(first)).has("broken"));
    await first.kill9();
    await using second = await startDemo(storage, live);
    await until(async () => (await endpointsOf(second)).has("broken"));
    expect((await endpointsOf(second)).size).toBe(3);
    await second.stop();
  });

  it("is off in a server that is no demo", async () => {
    await using server = await startServer({
      env: { HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_DEMO_TRAFFIC: "on", HOOKWRIGHT_HOST_TOKEN: hostToken },
    });
    const response = await fetch(`${server.url}/host/v1/accounts/acc_demo/api-keys`, {
      method: "POST",
      headers: { Authorization: `Bearer ${hostToken}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "test" }),
    });
    expect(response.status).toBe(404);
    await server.stop();
  });

  it("accepts the deliveries of a webhook for the printed test URL", async () => {
    await using server = await startDemo("memory");
    const [, testUrl = ""] = /test URL +(\S+)/u.exec(server.stdout) ?? [];
    const response = await fetch(`${server.url}/v1/webhooks`, {
      method: "POST",
      headers: { Authorization: `Bearer ${keyOf(server)}`, "Content-Type": "application/json" },
      body: JSON.stringify({ event: "order.created", target_url: testUrl }),
    });
    expect(response.status).toBe(201);
    await paste(commandsOf(server.stdout)[2] ?? "");
    await until(async () => {
      const { body } = await get(server, "/developer/v1/deliveries?status=delivered", keyOf(server));
      return JSON.stringify(body).includes(testUrl);
    });
    await server.stop();
  });
});
