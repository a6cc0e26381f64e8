import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

const run = promisify(execFile);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "hookwright-demo-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function startDemo(storage: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({
    args: ["serve", "--demo"],
    env: { HOOKWRIGHT_STORAGE: storage, ...env },
  });
  await server.waitFor(/Ctrl-C stops the server/u);
  return server;
}

/** The commands that the demo prints, as they would be copied: indented and over several lines. */
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

  it("shows a signed delivery that was sent and verified, and how long that took", async () => {
    await using server = await startDemo(storage());
    expect(server.stdout).toMatch(/Signed delivery sent and verified in \d+(?:\.\d+)? ms/u);
    expect(server.stdout).toMatch(
      /event +order\.created\n +delivery +dlv_\w+\n +answer +204, signature verified/u,
    );
    expect(server.stdout).toMatch(/e-mail +demo@example\.com\n +password +\S{16,}/u);
    expect((await server.stop()).code).toBe(0);
    expect(server.stderr).toBe("");
  });

  it("prints three commands that work when they are pasted", async () => {
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

describe("a demo that is started again on the same directory", () => {
  it("has a new key and password, one receiver, and the records it had", async () => {
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

  it("leaves alone what its visitor made: the webhook, and the key that made it", async () => {
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
});

describe("a demo with a host token of the operator's", () => {
  it("does not print it, and its command takes it from the environment", async () => {
    const env = { HOOKWRIGHT_HOST_TOKEN: "operators-own-token" };
    await using server = await startDemo("memory", env);
    expect(server.stdout).not.toContain(env.HOOKWRIGHT_HOST_TOKEN);
    expect(await paste(commandsOf(server.stdout)[2] ?? "", env)).toMatchObject({ success: true });
    await server.stop();
  });
});

describe("a demo", () => {
  it("opens no private target but its own receiver", async () => {
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
