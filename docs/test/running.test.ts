import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hasRedisServer, startRedisServer } from "../../packages/storage/test/support/redis-server.ts";
import { readGuide } from "./support/read-guide.ts";
import { startProgram } from "./support/start-program.ts";

const main = fileURLToPath(new URL("../../reference-server/dist/main.js", import.meta.url));
const blocks = readGuide(new URL("../guide/running.md", import.meta.url))
  .filter(({ language }) => language === "sh")
  .map(({ code }) => code);

function blockWith(words: string): string {
  const found = blocks.filter((code) => code.includes(words));
  expect([words, found.length]).toEqual([words, 1]);
  return found[0] ?? "";
}

const asService = blockWith("hookwright serve --host 0.0.0.0");
const moving = blockWith("hookwright backup");
const publishing = blockWith("host POST events");
const onTrial = blockWith("--private-targets allow");
const password = blockWith("correct horse battery");

/** The words behind `hookwright` in a block. */
function wordsOf(block: string): string[] {
  const [, words = ""] = /^hookwright (.*)$/mu.exec(block) ?? [];
  return words.split(" ");
}

/** Runs blocks as a reader does, with the built command, and answers what they print. */
async function type(code: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const script = `set -eu\nhookwright() { "${process.execPath}" "${main}" "$@"; }\n${code}`;
  const env = { ...process.env, ...environment };
  return (await promisify(execFile)("bash", ["-c", script], { env })).stdout;
}

const token = "a-token-for-this-trial";
const atPort = (code: string, origin: string): string => code.replaceAll("http://127.0.0.1:3000", origin);

it("every block of the guide to running is typed here, but the two that start the demo", () => {
  const typed = new Set([asService, moving, publishing, onTrial, password]);
  const demos = blocks.filter((code) => !typed.has(code));
  expect(demos.map((code) => code.split("\n")[0])).toEqual([
    expect.stringMatching(/^npm start /u),
    expect.stringMatching(/^npm start -- serve --demo /u),
  ]);
});

describe.concurrent("what the guide to running tells its reader to type", { timeout: 60_000 }, () => {
  it("leads from nothing to a published event, and into the console", async () => {
    expect(onTrial).toContain(`HOOKWRIGHT_HOST_TOKEN=${token}`);
    await using server = await startProgram({
      words: [main, ...wordsOf(onTrial)],
      environment: { HOOKWRIGHT_HOST_TOKEN: token, HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_LOG: "json" },
    });
    const printed = await type(atPort(publishing + password, server.origin), {
      HOOKWRIGHT_HOST_TOKEN: token,
    });
    const answers: unknown[] = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { success: true, data: { id: "acc_bakery" } },
      { success: true, data: { id: "site_shop" } },
      { success: true, data: { api_key: expect.stringMatching(/^hwk_/u) } },
      { success: true, data: { id: "review.submitted_rev_1", adjusted: [] } },
      { success: true, data: { id: "acc_bakery" } },
    ]);
    const signedIn = await fetch(`${server.origin}/console/api/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "owner@example.com", password: "correct horse battery" }),
    });
    expect(signedIn.status).toBe(200);
  });

  it.runIf(hasRedisServer)("runs as a service, is backed up while it runs, and moves to Redis", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "hookwright-running-"));
    await using redis = await startRedisServer();
    const inFolder = (code: string): string =>
      code
        .replaceAll("/var/lib/hookwright", path.join(folder, "data"))
        .replaceAll("/backup/monday", path.join(folder, "monday"))
        .replaceAll("bakery.ndjson", path.join(folder, "bakery.ndjson"))
        .replaceAll("redis://127.0.0.1:6379", redis.url);
    try {
      expect(asService).toContain("HOOKWRIGHT_HOST_TOKEN=");
      const secrets = { HOOKWRIGHT_HOST_TOKEN: token, HOOKWRIGHT_SECRET: "s".repeat(32) };
      await using server = await startProgram({
        words: [main, ...wordsOf(inFolder(asService)), "--host", "127.0.0.1"],
        environment: { ...secrets, HOOKWRIGHT_LOG: "json" },
      });
      await type(atPort(publishing, server.origin), secrets);
      await type(inFolder(moving), secrets);
      expect(await readdir(path.join(folder, "monday"))).not.toEqual([]);
      await using moved = await startProgram({
        words: [main, "serve", "--storage", redis.url],
        environment: { ...secrets, HOOKWRIGHT_LOG: "json" },
      });
      // The account is there: a `PUT` without anything answers what is stored.
      const account = await fetch(`${moved.origin}/host/v1/accounts/acc_bakery`, {
        method: "PUT",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
      expect([account.status, await account.json()]).toMatchObject([200, { data: { name: "Bakery" } }]);
      expect((await server.stop()).code).toBe(0);
      expect((await moved.stop()).code).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
