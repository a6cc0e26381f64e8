import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { until } from "./support/fleet.ts";
import { call, hostToken } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";

const run = promisify(execFile);

async function startDemo(storage: string, env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({
    args: ["serve", "--demo"],
    env: { HOOKWRIGHT_STORAGE: storage, ...env },
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

/** Creates a webhook with the key of the demo. */
function subscribe(server: ServerProcess, targetUrl: string): Promise<Response> {
  return fetch(`${server.url}/v1/webhooks`, {
    method: "POST",
    headers: { Authorization: `Bearer ${keyOf(server)}`, "Content-Type": "application/json" },
    body: JSON.stringify({ event: "order.created", target_url: targetUrl }),
  });
}

/** The webhooks of the demo by the last part of their paths. */
async function endpointsOf(
  server: ServerProcess,
  key = keyOf(server),
): Promise<Map<string, Record<string, unknown>>> {
  const { body } = await get(server, "/v1/webhooks", key);
  const { data }: { data: Record<string, unknown>[] } = JSON.parse(JSON.stringify(body));
  return new Map(data.map((webhook) => [String(webhook["target_url"]).split("/").at(-1) ?? "", webhook]));
}

const shown =
  /Signed delivery sent and verified in \d+(?:\.\d+)? ms\n(?:.*\n)* +event +order\.created\n +delivery +dlv_\w+\n +answer +204, signature verified/u;

const folder = await makeFolder(afterAll);

describe("a demo with traffic on files", () => {
  // The test asks more often than a user would.
  const env = {
    HOOKWRIGHT_DEMO_TRAFFIC: "on",
    HOOKWRIGHT_RATE_LIMIT: "100000",
    HOOKWRIGHT_OPERATOR_CONSOLE: "on",
  };
  const storage = `file:${join(folder, "data")}`;
  let first: ServerProcess;
  let second: ServerProcess | undefined;
  beforeAll(async () => {
    first = await startDemo(storage, env);
  }, 60_000);
  afterAll(async () => {
    for (const server of [first, second]) await server?.[Symbol.asyncDispose]();
  });

  it("shows a signed delivery that was sent and verified, and a login", () => {
    expect(first.stdout).toMatch(shown);
    expect(first.stdout).toMatch(/e-mail +demo@example\.com\n +password +\S{16,}/u);
    expect(first.stdout).toContain("an order every 3 s");
  });

  it("prints three commands that work when pasted", async () => {
    const [list = "", create = "", publish = "", ...more] = commandsOf(first.stdout);
    expect(more).toEqual([]);
    expect(await paste(list)).toMatchObject({
      success: true,
      data: expect.arrayContaining([expect.objectContaining({ id: expect.stringMatching(/^ord_/u) })]),
    });
    expect(await paste(create)).toMatchObject({ success: true, data: { event: "order.paid" } });
    expect(await paste(publish)).toMatchObject({
      success: true,
      data: { duplicate: false, deliveries: expect.arrayContaining([expect.stringMatching(/^dlv_/u)]) },
    });
    await first.waitFor(/order\.created received, signature verified/u);
    // Receipts of traffic would hide those of the user's orders.
    expect(first.stdout.match(/order\.created received/gu)).toHaveLength(1);
  });

  it("has a second login, of an empty account in which a newcomer creates and tests a webhook", async () => {
    const [, email, password] = /new shop +(\S+), password (\S+):/u.exec(first.stdout) ?? [];
    const [, testUrl = ""] = /test URL +(\S+) accepts/u.exec(first.stdout) ?? [];
    const body = { email, password };
    const { token: session } = await call(first, "/console/api/session", { method: "POST", body });
    const token = String(session);
    expect((await get(first, "/console/api/webhooks", token)).body).toMatchObject({ data: [] });
    const webhook = await call(first, "/console/api/webhooks", {
      method: "POST",
      token,
      body: { event: "order.created", target_url: testUrl },
    });
    const test = { method: "POST", token };
    expect(await call(first, `/console/api/webhooks/${String(webhook["id"])}/test`, test)).toMatchObject({
      status: 204,
      error: null,
    });
  });

  it("allows no private target except its own receiver", async () => {
    const response = await subscribe(first, `${first.url}/somewhere`);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_target_url" } });
  });

  it("reaches an endpoint that accepts it, one that fails sometimes and one that always fails", async () => {
    await until(async () => Number((await endpointsOf(first)).get("broken")?.["consecutive_failures"]) >= 2);
    const endpoints = await endpointsOf(first);
    expect([...endpoints.keys()].toSorted()).toEqual([
      "broken",
      "flaky",
      "hookwright-demo-receiver",
      "orders",
    ]);
    expect(endpoints.get("hookwright-demo-receiver")).toMatchObject({ consecutive_failures: 0 });
  });

  it("accepts the deliveries of a webhook for the printed test URL", async () => {
    const [, testUrl = ""] = /test URL +(\S+)/u.exec(first.stdout) ?? [];
    expect((await subscribe(first, testUrl)).status).toBe(201);
    await until(async () => {
      const { body } = await get(first, "/developer/v1/deliveries?status=delivered", keyOf(first));
      return JSON.stringify(body).includes(testUrl);
    });
  });

  it("refuses a second demo on its storage, and is not affected by it", async () => {
    const environment = { PORT: "0", HOOKWRIGHT_STORAGE: storage };
    const { code, printed, complained } = await runCommand(["serve", "--demo"], environment);
    expect([code, printed]).toEqual([1, expect.not.stringContaining("listening")]);
    expect(complained).toContain(`another demo uses ${storage} (${first.url}, process ${first.pid})`);
    expect(complained).toContain("stop it, or choose another storage and port");
    expect(complained).not.toMatch(/^\s+at /mu);
    expect((await get(first, "/v1/me", keyOf(first))).status).toBe(200);
  });

  it("has a new key after a crash, the same records, and keeps the user's webhook with its key", async () => {
    await first.kill9();
    second = await startDemo(storage, { ...env, HOOKWRIGHT_HOST_TOKEN: hostToken });
    expect(second.stdout).toMatch(shown);
    expect(keyOf(second)).not.toBe(keyOf(first));
    const ofFirst = (await endpointsOf(second, keyOf(first))).keys();
    expect([...ofFirst]).toContain("orders");
    expect((await get(second, "/v1/orders?number=1002", keyOf(second))).body).toMatchObject({
      data: [{ id: "ord_demo_1002" }],
    });
  });

  it("does not print the operator's host token, and its command reads it from the environment", async () => {
    const server = second ?? first;
    expect(server.stdout).not.toContain(hostToken);
    const publish = commandsOf(server.stdout)[2] ?? "";
    expect(await paste(publish, { HOOKWRIGHT_HOST_TOKEN: hostToken })).toMatchObject({ success: true });
    await server.waitFor(/order\.created received, signature verified/u);
    expect((await server.stop()).code).toBe(0);
    expect(server.stderr).toBe("");
    expect(server.stdout).not.toMatch(/"code":"(?:demo_traffic_failed|close_failed)"/u);
  });
});
