import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { describe, expect, it } from "vitest";
import { readGuide } from "./support/read-guide.ts";
import { startExample } from "./support/start-example.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { findFreePort } from "../../packages/storage/test/support/free-port.ts";

const main = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** The help texts that the guide shows, by command line. */
const shown = readGuide(new URL("../guide/cli.md", import.meta.url)).flatMap(({ code }) => {
  const [, line, text] = /^\$ (hookwright .*--help)\n([\s\S]*)$/u.exec(code) ?? [];
  return line === undefined || text === undefined ? [] : [{ line, text }];
});

describe("the guide to the command line", () => {
  it("shows the overview and the help of listen", () => {
    expect(shown.map(({ line }) => line)).toEqual(["hookwright --help", "hookwright listen --help"]);
  });

  it.each(shown)("shows what `$line` prints", ({ line, text }) => {
    const [, ...commandLine] = line.split(" ");
    const { status, stdout } = spawnSync(process.execPath, [main, ...commandLine], {
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: text });
  });
});

it("an event that `trigger` sends reaches the handler of the receiving guide, and a test does not", async () => {
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
  });
  await hookwright.accounts.put("acc_1", { name: "Bakery", email: "ada@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Bakery" });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "CLI" });
  await using server = await listenLocally(createServer(hookwright.handler));
  const port = await findFreePort();
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-cli-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOOKWRIGHT_SERVER: server.origin,
    HOOKWRIGHT_API_KEY: key,
    XDG_CONFIG_HOME: folder,
  };
  const printed = await promisify(execFile)(process.execPath, [main, "listen", "--print-secret"], { env });
  const WEBHOOK_SECRET = printed.stdout.trim();
  const forward = `http://localhost:${port}/webhooks`;
  const listen = spawn(process.execPath, [main, "listen", "--json", "--forward", forward], { env });
  try {
    const rows = createInterface(listen.stdout)[Symbol.asyncIterator]();
    const nextRow = async () => JSON.parse(String((await rows.next()).value));
    await nextRow();
    await using receiver = await startExample("receiving/node-http", { WEBHOOK_SECRET }, { port });
    for (const [event, ...options] of [
      ["order.created"],
      ["order.created", "--test"],
      ["review.submitted", "--test"],
      ["review.submitted"],
    ]) {
      const trigger = spawn(process.execPath, [main, "trigger", event ?? "", ...options], { env });
      const [status] = await once(trigger, "exit");
      expect(status).toBe(0);
      const { test, response } = await nextRow();
      expect([test, response.status]).toEqual([options.length > 0, 204]);
    }
    const [, ...lines] = receiver.printed().trim().split("\n");
    expect(lines).toEqual([expect.stringMatching(/^order\.created_ord_/u), "5 stars: Worth the walk"]);
  } finally {
    listen.kill("SIGINT");
    await once(listen, "exit");
    await rm(folder, { recursive: true });
  }
});
