import { cp, mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { partitions } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { busyAccount } from "./support/busy-account.ts";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { fillStore } from "./support/filled-store.ts";
import { createAccount, createWebhook, hostToken, publishOrder } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { runCommand } from "./support/run-command.ts";
import { startServer } from "./support/server-process.ts";

const secret = "a secret of these tests, 32 and more";
const otherSecret = "another secret of these tests, 32 long";

const root = await makeFolder(afterAll);
const filled = path.join(root, "filled");
beforeAll(async () => {
  await using store = await openFilesystemStore({ directory: filled });
  await fillStore(store, { secret });
});

interface Report {
  readonly code: number;
  readonly rows: number;
  readonly last_written_at: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly damage: readonly { readonly type: string; readonly key: Key; readonly problem: string }[];
}

const run = (args: readonly string[], given = secret) =>
  runCommand(["check-storage", ...args], given === "" ? {} : { HOOKWRIGHT_SECRET: given });

async function check(storage: string, given = secret): Promise<Report> {
  const { code, printed } = await run(["--storage", storage, "--json"], given);
  return { code, ...JSON.parse(printed) };
}

/** All rows of some kinds. */
async function rowsOf(store: Store, kind: string) {
  const pages = await Promise.all(
    partitions.map((partition) => store.list({ prefix: [partition, kind], limit: 100 })),
  );
  return pages.flat();
}

/** A copy of the filled store, changed. */
async function damaged(name: string, change: (store: Store) => Promise<void>): Promise<Report> {
  const directory = path.join(root, name);
  await cp(filled, directory, { recursive: true });
  {
    await using store = await openFilesystemStore({ directory });
    await change(store);
  }
  return check(`file:${directory}`);
}

const remove = (store: Store, key: Key) => store.commit(key[0], { mutations: [{ type: "delete", key }] });
const set = (store: Store, key: Key, value: string) =>
  store.commit(key[0], { mutations: [{ type: "set", key, value }] });

describe("an intact storage", () => {
  it("has no damage, with data of every kind, and says how much is there", async () => {
    const before = Date.now();
    const report = await check(`file:${filled}`);
    expect(report).toMatchObject({ code: 0, ok: true, counts: {}, damage: [], warnings: [] });
    expect(report).toMatchObject({ accounts: 1, webhooks: 2, pending_deliveries: 13 });
    expect(Date.parse(report.last_written_at)).toBeGreaterThan(before - 60_000);
    expect(Date.parse(report.last_written_at)).toBeLessThanOrEqual(before);
    expect((await run(["--storage", `file:${filled}`])).complained).toMatch(
      /^accounts: 1, webhooks: 2, pending deliveries: 13, last written: \d{4}-[\d:.T-]+Z$/mu,
    );
  });

  it("without any account is suspicious if there is a secret", async () => {
    const directory = path.join(root, "empty");
    await (await openFilesystemStore({ directory })).close();
    expect(await run(["--storage", `file:${directory}`])).toMatchObject({
      code: 0,
      complained: expect.stringMatching(
        /^accounts: 0, .+ last written: never\nwarning: file:.+ is empty, although HOOKWRIGHT_SECRET is set\. .+ stop all servers and restore it again\.$/mu,
      ),
    });
    expect((await run(["--storage", `file:${directory}`], "")).complained).not.toContain("warning");
  });

  it("has none after real traffic, retries and two crashes", { timeout: 120_000 }, async () => {
    await using receiver = await startCountingReceiver();
    const directory = path.join(root, "traffic");
    const env = {
      HOOKWRIGHT_STORAGE: `file:${directory}`,
      HOOKWRIGHT_SECRET: secret,
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      HOOKWRIGHT_RETRY_DELAYS: "0.5,60",
    };
    let number = 0;
    const publish = (server: { readonly url: string }, count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          publishOrder(server, `ord_${(number += 1)}`).catch(() => undefined),
        ),
      );
    for (let crash = 0; crash < 2; crash++) {
      await using server = await startServer({ env });
      if (crash === 0) {
        const { apiKey } = await createAccount(server);
        for (const url of [receiver.url, "http://127.0.0.1:1/closed"])
          await createWebhook(server, { token: apiKey, url });
      }
      await publish(server, 40);
      const late = publish(server, 40);
      // It checks the storage while the server writes it.
      if (crash === 1) expect(await check(`file:${directory}`)).toMatchObject({ code: 0, damage: [] });
      await server.kill9();
      await late;
    }
    const report = await check(`file:${directory}`);
    expect(report).toMatchObject({ code: 0, damage: [] });
    expect(report.rows).toBeGreaterThan(160);
  });

  it("may be the file of an export", async () => {
    const file = path.join(root, "account.ndjson");
    const commandLine = ["export", "--storage", `file:${filled}`, "--account", busyAccount, "--to", file];
    expect(await runCommand(commandLine, { HOOKWRIGHT_SECRET: secret })).toMatchObject({ code: 0 });
    expect(await run(["--from", file])).toMatchObject({
      code: 0,
      complained: expect.stringMatching(/^checked \d+ rows of .+account\.ndjson: nothing is damaged\.$/mu),
    });
    expect((await run(["--from", file], otherSecret)).printed).toContain("not_decryptable");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("Busy", "Lazy"));
    expect(await run(["--from", file])).toMatchObject({
      code: 1,
      complained: expect.stringMatching(/line \d+ does not match the lines before it/u),
    });
  });
});

describe("damage is named", () => {
  it("a delivery that cannot be decoded, without its text", async () => {
    const report = await damaged("undecodable", async (store) => {
      const [fresh] = await rowsOf(store, "fresh");
      if (fresh !== undefined) await set(store, fresh.key, fresh.value.slice(0, -5));
    });
    expect(report).toMatchObject({
      code: 1,
      counts: { undecodable: 1 },
      damage: [{ type: "undecodable", problem: "cannot be decoded: it is not valid JSON" }],
    });
  });

  it("an index entry without its row, and a row without its index entry", async () => {
    const report = await damaged("index", async (store) => {
      const [record] = await rowsOf(store, "record");
      const [contact] = await rowsOf(store, "contact-of-email");
      if (record !== undefined) await remove(store, record.key);
      if (contact !== undefined) await remove(store, contact.key);
    });
    expect(report.code).toBe(1);
    expect(report.damage.map(({ type, problem }) => `${type}: ${problem}`)).toEqual(
      expect.arrayContaining([
        "missing: leads to an order that is missing",
        "missing: is missing in the index by address",
      ]),
    );
  });

  it("deliveries that are queued for a webhook that does not exist, and a webhook without a secret", async () => {
    const report = await damaged("webhook", async (store) => {
      const webhooks = await rowsOf(store, "webhook");
      for (const { key } of webhooks.filter((row) => row.key[3] === "order.created"))
        await remove(store, key);
      for (const { key } of await rowsOf(store, "signing-secret")) await remove(store, key);
    });
    expect(report.counts).toEqual({ missing: 13 });
    expect(new Set(report.damage.map(({ problem }) => problem))).toEqual(
      new Set(["is queued for a webhook that does not exist", "has no signing secret"]),
    );
  });

  it("a retry without its delivery, and a log entry with another status", async () => {
    const report = await damaged("retry", async (store) => {
      const [fresh] = await rowsOf(store, "fresh");
      if (fresh === undefined) return;
      const [partition, , account, event, webhook, delivery] = fresh.key;
      if (account === undefined || event === undefined || webhook === undefined || delivery === undefined)
        return;
      await set(store, [partition, "retry", account, event, webhook, 1_000, delivery], "");
      await set(
        store,
        [partition, "delivery-log", account, event, webhook, "site_a", "failed", "event", delivery],
        "",
      );
    });
    expect(report.damage.map(({ problem }) => problem).toSorted()).toEqual([
      "is an entry of the delivery log whose delivery is missing or has other properties",
      "is an entry of the retry queue whose delivery is missing or not due then",
    ]);
  });

  it("a counter", async () => {
    const report = await damaged("counter", async (store) => {
      const [count] = await rowsOf(store, "api-key-count");
      // A list by prefix does not include the row of the account itself.
      const [key] = await rowsOf(store, "api-key");
      const at: Key | undefined = count?.key ?? (key && [key.key[0], "api-key-count", key.key[2] ?? ""]);
      if (at !== undefined) await set(store, at, "7");
    });
    expect(report).toMatchObject({
      code: 1,
      counts: { wrong_counter: 1 },
      damage: [{ problem: "is 7, but there are 1 rows" }],
    });
  });

  it("links to a delivery that cannot be read", async () => {
    const report = await damaged("shares", async (store) => {
      const [account] = await rowsOf(store, "account");
      const [partition = "", , id = ""] = account?.key ?? [];
      await set(
        store,
        [String(partition), "share", id, "dlv_1"],
        JSON.stringify([{ id: "shr_1", expires_at: 1 }]),
      );
      await set(store, [String(partition), "share", id, "dlv_2"], JSON.stringify([{ id: "dlv_2" }]));
    });
    expect(report.damage).toMatchObject([
      { type: "undecodable", key: expect.arrayContaining(["share", "dlv_2"]) },
    ]);
  });

  it("a value that the secret does not decrypt, or that was altered", async () => {
    expect(await check(`file:${filled}`, otherSecret)).toMatchObject({
      code: 1,
      counts: { not_decryptable: 2 },
    });
    const report = await damaged("sealed", async (store) => {
      const [row] = await rowsOf(store, "signing-secret");
      if (row === undefined) return;
      const parsed = JSON.parse(row.value);
      await set(
        store,
        row.key,
        JSON.stringify({ ...parsed, current: parsed.current.replace(/.{6}$/u, "AAAAA=") }),
      );
    });
    expect(report).toMatchObject({ code: 1, counts: { not_decryptable: 1 } });
  });

  it("a data file that is cut off", async () => {
    const directory = path.join(root, "cut");
    await cp(filled, directory, { recursive: true });
    await truncate(path.join(directory, "store-1.mdb"), 16_384);
    expect(await run(["--storage", `file:${directory}`])).toMatchObject({
      code: 1,
      complained: expect.stringMatching(/is truncated|cannot be read|damaged/u),
    });
  });
});

describe("the command", () => {
  it("checks without a secret what needs none, and says so", async () => {
    expect(await run(["--storage", `file:${filled}`], "")).toMatchObject({
      code: 0,
      printed: "",
      complained: expect.stringContaining("Encrypted values were not checked"),
    });
  });

  it("refuses a wrong command line with 2, and a storage that does not exist with 1", async () => {
    expect(await run(["--storage", "nonsense"])).toMatchObject({ code: 2 });
    expect(await run(["--storage", `file:${filled}`, "--from", "x"])).toMatchObject({ code: 2 });
    expect(await run(["--from", "/nowhere/at/all"])).toMatchObject({
      code: 1,
      complained: "hookwright: --from /nowhere/at/all is not a readable file.",
    });
    expect(await run(["--storage", `file:${path.join(root, "missing")}`])).toMatchObject({ code: 1 });
    const nothing = path.join(root, "nothing");
    await mkdir(nothing);
    expect(await run(["--storage", `file:${nothing}`])).toMatchObject({
      code: 1,
      complained: expect.stringContaining(`${nothing} contains no store (store-1.mdb). `),
    });
    expect(await readdir(nothing)).toEqual([]);
  });

  it.runIf(hasRedisServer)("checks Redis", { tags: ["long"], timeout: 60_000 }, async () => {
    await using redis = await startRedisServer();
    await using store = await openRedisStore({ url: redis.url });
    await fillStore(store, { secret });
    expect(await check(redis.url)).toMatchObject({ code: 0, damage: [] });
    const [record] = await rowsOf(store, "record");
    if (record !== undefined) await remove(store, record.key);
    expect(await check(redis.url)).toMatchObject({ code: 1 });
  });

  it.runIf(hasPostgresServer)("checks PostgreSQL, and creates no tables", { timeout: 60_000 }, async () => {
    await using postgres = await startPostgresServer();
    expect(await run(["--storage", postgres.url])).toMatchObject({
      code: 1,
      complained: expect.stringContaining("has no schema hookwright"),
    });
    await using store = await openPostgresStore({ url: postgres.url });
    await fillStore(store, { secret });
    expect(await check(postgres.url)).toMatchObject({ code: 0, damage: [] });
    const [record] = await rowsOf(store, "record");
    if (record !== undefined) await remove(store, record.key);
    expect(await check(postgres.url)).toMatchObject({ code: 1 });
  });
});
