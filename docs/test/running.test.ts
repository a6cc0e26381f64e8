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

function blockWith(text: string): string {
  const found = blocks.filter((code) => code.includes(text));
  expect([text, found.length]).toEqual([text, 1]);
  return found[0] ?? "";
}

const asService = blockWith("hookwright serve --host 0.0.0.0");
const moving = blockWith("hookwright backup");
const publishing = blockWith("host PUT projects/site_shop");
const declaring = blockWith("host PUT event-types");
const onTrial = blockWith("--private-targets allow");
const password = blockWith("correct horse battery");

/** The arguments of the `hookwright` command in a block. */
function argumentsOf(block: string): string[] {
  const [, args = ""] = /^hookwright (.*)$/mu.exec(block) ?? [];
  return args.split(" ");
}

/** Runs shell blocks with the built command and returns their output. */
async function runShell(code: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const script = `set -eu\nhookwright() { "${process.execPath}" "${main}" "$@"; }\n${code}`;
  const env = { ...process.env, ...environment };
  return (await promisify(execFile)("bash", ["-c", script], { env })).stdout;
}

const token = "a-token-for-this-trial";
const atPort = (code: string, origin: string): string => code.replaceAll("http://127.0.0.1:3000", origin);

it("every shell block of the running guide is tested, except the two that start the demo", () => {
  const tested = new Set([asService, moving, publishing, declaring, onTrial, password]);
  const demos = blocks.filter((code) => !tested.has(code));
  expect(demos.map((code) => code.split("\n")[0])).toEqual([
    expect.stringMatching(/^npm start /u),
    expect.stringMatching(/^npm start -- --port /u),
  ]);
});

describe.concurrent("the commands of the running guide", { timeout: 60_000 }, () => {
  it("create an account, publish an event, and allow a sign-in to the console", async () => {
    expect(onTrial).toContain(`HOOKWRIGHT_HOST_TOKEN=${token}`);
    await using server = await startProgram({
      args: [main, ...argumentsOf(onTrial)],
      environment: { HOOKWRIGHT_HOST_TOKEN: token, HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_LOG: "json" },
    });
    const printed = await runShell(atPort(publishing + declaring + password, server.origin), {
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
      { success: true, data: { id: "review.submitted_rev_1", adjusted: [], dropped: [] } },
      { success: true, data: { event: "parcel.sent" } },
      { success: true, data: { id: "parcel.sent_evt_1" } },
      { success: true, data: { id: "parcel.sent", deleted: true } },
      { success: true, data: { id: "acc_bakery" } },
    ]);
    const signedIn = await fetch(`${server.origin}/console/api/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "owner@example.com", password: "correct horse battery" }),
    });
    expect(signedIn.status).toBe(200);
  });

  it.runIf(hasRedisServer)("run a service, back it up while it runs, and move it to Redis", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "hookwright-running-"));
    await using redis = await startRedisServer();
    const inFolder = (code: string, place = '"$FOLDER"'): string =>
      code
        .replaceAll("/var/lib/hookwright", `${place}/data`)
        .replaceAll("/backup/monday", `${place}/monday`)
        .replaceAll("bakery.ndjson", `${place}/bakery.ndjson`)
        .replaceAll("redis://127.0.0.1:6379", redis.url);
    try {
      expect(asService).toContain("HOOKWRIGHT_HOST_TOKEN=");
      const secrets = { HOOKWRIGHT_HOST_TOKEN: token, HOOKWRIGHT_SECRET: "s".repeat(32) };
      await using server = await startProgram({
        args: [
          main,
          ...argumentsOf(asService).map((argument) => inFolder(argument, folder)),
          "--host",
          "127.0.0.1",
        ],
        environment: { ...secrets, HOOKWRIGHT_LOG: "json" },
      });
      await runShell(atPort(publishing, server.origin), secrets);
      await runShell(inFolder(moving), { ...secrets, FOLDER: folder });
      expect(await readdir(path.join(folder, "monday"))).not.toEqual([]);
      await using moved = await startProgram({
        args: [main, "serve", "--storage", redis.url],
        environment: { ...secrets, HOOKWRIGHT_LOG: "json" },
      });
      // An empty `PUT` returns the stored account.
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
