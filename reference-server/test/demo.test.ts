import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../src/cli.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { until } from "./support/fleet.ts";
import { call, hostToken } from "./support/host-api.ts";
import { createTestProgram } from "./support/test-program.ts";

const run = promisify(execFile);

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

describe("a demo in memory", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startDemo("memory");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("shows a signed delivery that was sent and verified, and a login", () => {
    expect(server.stdout).toMatch(shown);
    expect(server.stdout).toMatch(/e-mail +demo@example\.com\n +password +\S{16,}/u);
  });

  it("prints three commands that work when pasted", async () => {
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
  });

  it("has a second login, of an empty account in which a newcomer creates and tests a webhook", async () => {
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
  });

  it("allows no private target except its own receiver", async () => {
    const response = await subscribe(server, `${server.url}/somewhere`);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_target_url" } });
  });

  it("accepts the deliveries of a webhook for the printed test URL", async () => {
    const [, testUrl = ""] = /test URL +(\S+)/u.exec(server.stdout) ?? [];
    expect((await subscribe(server, testUrl)).status).toBe(201);
    // The id of its order is the time in seconds, which another test may have used.
    await paste((commandsOf(server.stdout)[2] ?? "").replaceAll("date +%s", "date +%N"));
    await until(async () => {
      const { body } = await get(server, "/developer/v1/deliveries?status=delivered", keyOf(server));
      return JSON.stringify(body).includes(testUrl);
    });
  });

  it("stops without an error", async () => {
    expect((await server.stop()).code).toBe(0);
    expect(server.stderr).toBe("");
  });
});

describe("a demo with traffic, on files and with the operator's host token", () => {
  // The test asks more often than a user would.
  const env = {
    HOOKWRIGHT_DEMO_TRAFFIC: "on",
    HOOKWRIGHT_RATE_LIMIT: "100000",
    HOOKWRIGHT_HOST_TOKEN: hostToken,
  };
  let directory: string;
  let storage: string;
  let first: ServerProcess;
  let second: ServerProcess;
  let third: ServerProcess;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "hookwright-demo-"));
    storage = `file:${join(directory, "data")}`;
    first = await startDemo(storage, env);
  });
  afterAll(async () => {
    for (const server of [first, second, third]) await server?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it("reaches an endpoint that accepts it, one that fails sometimes and one that always fails", async () => {
    expect(first.stdout).toMatch(shown);
    expect(first.stdout).toContain("an order every 3 s");
    await until(async () => Number((await endpointsOf(first)).get("broken")?.["consecutive_failures"]) >= 2);
    const endpoints = await endpointsOf(first);
    expect([...endpoints.keys()].toSorted()).toEqual(["broken", "flaky", "hookwright-demo-receiver"]);
    expect(endpoints.get("hookwright-demo-receiver")).toMatchObject({ consecutive_failures: 0 });
    expect(endpoints.get("broken")).toMatchObject({ last_success_at: null });
    // Receipts of traffic would hide those of the user's orders.
    expect(first.stdout).not.toContain("order.created received");
  });

  it("refuses a second demo on its storage, and is not affected by it", async () => {
    const environment = { PORT: "0", HOOKWRIGHT_STORAGE: storage };
    const refused = createTestProgram({ commandLine: ["serve", "--demo"], environment });
    expect(await runCli(refused)).toBe(1);
    expect(refused.printed.join("")).not.toContain("listening");
    const reason = refused.complained.join("\n");
    expect(reason).toContain(`another demo uses ${storage} (${first.url}, process ${first.pid})`);
    expect(reason).toContain("stop it, or choose another storage and port");
    expect(reason).not.toMatch(/^\s+at /mu);
    expect((await get(first, "/v1/me", keyOf(first))).status).toBe(200);
  });

  it("does not print the host token, and its command reads it from the environment", async () => {
    expect(first.stdout).not.toContain(hostToken);
    expect(await paste(commandsOf(first.stdout)[2] ?? "", env)).toMatchObject({ success: true });
    await first.waitFor(/order\.created received, signature verified/u);
  });

  it("has a new key after a crash, the same records, and keeps the user's webhook with its key", async () => {
    await paste(commandsOf(first.stdout)[1] ?? "");
    await first.kill9();
    second = await startDemo(storage, env);
    expect(second.stdout).toMatch(shown);
    expect(keyOf(second)).not.toBe(keyOf(first));
    await until(async () => (await endpointsOf(second)).has("broken"));
    const endpoints = ["broken", "flaky", "hookwright-demo-receiver", "orders"];
    expect([...(await endpointsOf(second, keyOf(first))).keys()].toSorted()).toEqual(endpoints);
    expect((await get(second, "/v1/orders?number=1002", keyOf(second))).body).toMatchObject({
      data: [{ id: "ord_demo_1002" }],
    });
    expect((await second.stop()).code).toBe(0);
    expect(second.stdout).not.toMatch(/"code":"(?:demo_traffic_failed|close_failed)"/u);
  });

  it("revokes the key of an earlier start unless it created a webhook", async () => {
    third = await startDemo(storage, env);
    const statuses = [first, second].map(async (each) => (await get(third, "/v1/me", keyOf(each))).status);
    expect(await Promise.all(statuses)).toEqual([200, 401]);
  });

  it("says what to do if there is no room for a new key", async () => {
    // Its key is kept too.
    expect((await subscribe(third, "https://hooks.example.com/more")).status).toBe(201);
    const body = { name: "Mine" };
    for (let key = 1; key < 99; key++)
      await call(third, "/host/v1/accounts/acc_demo/api-keys", { method: "POST", body });
    await third.stop();
    await using last = await startServer({
      args: ["serve", "--demo"],
      env: { HOOKWRIGHT_STORAGE: storage, ...env },
    });
    const [line] = await last.waitFor(/^.*demo_not_shown.*$/mu);
    expect(JSON.parse(line)).toMatchObject({
      msg: expect.stringContaining("start with `--storage memory`"),
      error: expect.stringContaining("100 API keys"),
    });
    await last.stop();
  });
});
