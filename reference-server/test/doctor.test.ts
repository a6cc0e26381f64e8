import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createServer } from "node:tls";
import { createHookwright } from "hookwright";
import { memoryStore } from "@hookwright/storage/memory";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openPostgresOutbox, openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createCertificate } from "../../packages/delivery/test/transport/support/certificate.ts";
import { openConnectProxy } from "../../packages/delivery/test/transport/support/connect-proxy.ts";
import { runCheck } from "../src/checks/check.ts";
import { checkEvents } from "../src/checks/events-check.ts";
import { secretsInUrl } from "../src/checks/render.ts";
import { judgeClock, judgeDurability, judgeSpace, judgeVersions } from "../src/checks/storage-checks.ts";
import type { StorageFacts } from "../src/checks/storage-facts.ts";
import { hideSecrets } from "../src/hide-secrets.ts";
import { fillStore } from "./support/filled-store.ts";
import { startMailServer } from "./support/mail-server.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";
import { startServer } from "./support/server-process.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

const secret = "a secret of these tests, 32 and more";
const otherSecret = "another secret of these tests, 32 long";

const root = await makeFolder(afterAll);

/** Runs the command. An endpoint that answers at once takes the place of the Internet. */
async function examine(environment: Record<string, string>, ...args: string[]) {
  const { code, printed: text } = await runCommand(["doctor", "--json", ...args], {
    PORT: "0",
    HOOKWRIGHT_HOST_TOKEN: "host-token-of-these-tests",
    ...environment,
  });
  const { ok, checks } = JSON.parse(text) as {
    ok: boolean;
    checks: { name: string; status: string; message: string; fix?: string }[];
  };
  const find = (name: string) => checks.find((check) => check.name === name);
  return { code, ok, text, find, names: checks.map(({ name }) => name) };
}

async function openEndpoint() {
  const authority = createCertificate({ name: "Test authority", isAuthority: true });
  const { key, cert } = createCertificate({ name: "127.0.0.1", issuer: authority });
  const server = createServer({ key, cert }, (socket) => socket.on("error", () => socket.destroy()));
  const local = await listenLocally(server);
  onTestFinished(() => local[Symbol.asyncDispose]());
  const { port } = local;
  const file = path.join(root, `${port}.pem`);
  await writeFile(file, authority.cert);
  return { url: `https://127.0.0.1:${port}`, variables: { HOOKWRIGHT_DELIVERY_CA: file } };
}

describe("a complete installation", () => {
  it(
    "is all well beside a running server, and nothing of the checks stays",
    { timeout: 60_000 },
    async () => {
      const endpoint = await openEndpoint();
      const proxy = await openConnectProxy({ refuses: (target) => target !== new URL(endpoint.url).host });
      await using mail = await startMailServer();
      await using server = await startServer({
        env: { HOOKWRIGHT_HOST_TOKEN: "host-token-of-these-tests" },
      });
      const directory = path.join(server.directory, ".hookwright");
      const { code, ok, find, names, text } = await examine(
        {
          HOOKWRIGHT_STORAGE: `file:${directory}`,
          PORT: new URL(server.url).port,
          HOOKWRIGHT_PUBLIC_URL: server.url,
          HOOKWRIGHT_PROXY: `http://user:hidden@127.0.0.1:${proxy.port}`,
          HOOKWRIGHT_SOURCE_ADDRESS: "127.0.0.2",
          SMTP_URL: mail.url,
          ...endpoint.variables,
        },
        "--probe-url",
        endpoint.url,
      );
      expect(names).toEqual([
        "settings",
        "files",
        "port",
        "admin port",
        "storage",
        "durability",
        "space",
        "secret",
        "data",
        "events",
        "outbox",
        "clock",
        "versions",
        "egress",
        "dns",
        "proxy",
        "tls",
        "smtp",
      ]);
      expect(text).not.toContain('"failed"');
      expect({ code, ok }).toEqual({ code: 0, ok: true });
      expect(find("port")).toMatchObject({
        status: "ok",
        message: expect.stringMatching(/^a Hookwright server answers on port \d+ of 127\.0\.0\.1, so/u),
      });
      expect(find("proxy")?.message).toMatch(
        /refuses private addresses and opens a tunnel to 127\.0\.0\.1:/u,
      );
      expect(find("storage")?.message).toMatch(
        /^file:.+: reads take [\d.]+ ms \(at most [\d.]+ ms\), writes /u,
      );
      expect(find("secret")).toMatchObject({ status: "ok" });
      // The server has made a secret, and there is no account.
      expect(find("data")).toMatchObject({
        status: "warning",
        message: expect.stringMatching(/^file:.+ has no account, although the file `secret` exists$/u),
        fix: expect.stringContaining("the backup was not read"),
      });
      expect(find("clock")?.message).toMatch(/^the clock of the public URL is \d+ ms/u);
      expect(find("tls")?.message).toMatch(/answers with TLSv1\.3 after \d+ ms$/u);
      expect(find("smtp")).toMatchObject({
        status: "ok",
        message: expect.stringMatching(/^127\.0\.0\.1:\d+ accepts the sign-in$/u),
      });
      expect(mail.mails).toEqual([]);
      expect(proxy.tunnels.every(({ authorization }) => authorization !== undefined)).toBe(true);
      expect(text).not.toMatch(/hidden|:password/u);
      await server.stop();
      await using store = await openFilesystemStore({ directory });
      expect(await store.list({ prefix: ["p00", "readiness"], limit: 10 })).toEqual([]);
    },
  );

  it("is printed as one line for each check", async () => {
    const { code, printed } = await runCommand(["doctor"], { HOOKWRIGHT_STORAGE: "memory", PORT: "0" });
    expect(code).toBe(0);
    const lines = printed.split("\n");
    expect(lines).toHaveLength(18);
    expect(lines[4]).toBe("skipped  storage     the data in memory belongs to the server process");
  });
});

describe("a problem is named with what to fix", () => {
  it("of the network", async () => {
    const { code, find, text } = await examine(
      {
        HOOKWRIGHT_STORAGE: `file:${path.join(root, "missing")}`,
        HOOKWRIGHT_PROXY: "http://user:hidden@127.0.0.1:1",
        HOOKWRIGHT_SOURCE_ADDRESS: "192.0.2.7",
        HOOKWRIGHT_PUBLIC_URL: "http://127.0.0.1:1",
        SMTP_URL: "smtp://user:hidden@127.0.0.1:1",
      },
      "--probe-url",
      "https://does-not-exist.invalid",
    );
    expect(code).toBe(1);
    expect(find("storage")).toMatchObject({
      status: "skipped",
      message: expect.stringMatching(/does not exist\. A server creates it/u),
    });
    expect(find("egress")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("--source-address"),
    });
    expect(find("proxy")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("127.0.0.1:1 cannot be reached"),
      fix: expect.stringContaining("HOOKWRIGHT_PROXY"),
    });
    expect(find("tls")).toMatchObject({ status: "failed" });
    expect(find("smtp")).toMatchObject({ status: "failed", fix: expect.stringContaining("SMTP_URL") });
    expect(find("clock")).toMatchObject({ status: "skipped" });
    expect(text).not.toContain("hidden");
  });

  it("of a name that does not resolve and a certificate that is not trusted", async () => {
    const { url } = await openEndpoint();
    const environment = {
      HOOKWRIGHT_STORAGE: "memory",
      SMTP_URL: "smtp://does-not-exist.invalid",
      HOOKWRIGHT_ALLOW_TARGETS: "10.1.0.0/16,fd00::/64,10.1.2.3,localhost,hooks.does-not-exist.invalid",
    };
    const { code, find } = await examine(environment, "--probe-url", url);
    expect(code).toBe(1);
    expect(find("dns")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(
        /^does-not-exist\.invalid cannot be resolved \(.+\); hooks\.does-not-exist\.invalid cannot be resolved \(.+\)$/u,
      ),
    });
    expect(find("tls")).toMatchObject({ status: "failed", fix: expect.stringContaining("--delivery-ca") });
  });

  it("of events that are switched off, and of a server without events", async () => {
    const store = memoryStore();
    expect(await checkEvents(store, true)).toEqual({ status: "ok", message: "there are 7 events" });
    expect(await checkEvents(store, false)).toMatchObject({
      status: "warning",
      message: expect.stringContaining("there are no events"),
      fix: expect.stringContaining("PUT /host/v1/event-types"),
    });
    await using hookwright = await createHookwright({ store, secret, role: "api" });
    await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
    const target_url = "https://example.com/hooks";
    const caller = { accountId: "acc_1", credential: { type: "console" } } as const;
    await hookwright.webhooks.create(caller, { events: ["*"], target_url });
    await hookwright.webhooks.create(caller, { event: "order.paid", target_url });
    expect(await checkEvents(store, ["review.submitted"])).toMatchObject({
      status: "warning",
      message: expect.stringMatching(/get nothing new: order\.paid \(1\)$/u),
      fix: expect.stringContaining("--built-in-events"),
    });
    expect(await checkEvents(store, ["order.paid"])).toMatchObject({
      message: "there is one event: order.paid",
    });
  });

  it("of a secret", async () => {
    const directory = path.join(root, "data");
    {
      await using store = await openFilesystemStore({ directory });
      await fillStore(store, { secret });
    }
    const secretOf = async (variables: Record<string, string>) =>
      (await examine({ HOOKWRIGHT_STORAGE: `file:${directory}`, ...variables })).find("secret");
    expect(await secretOf({ HOOKWRIGHT_SECRET: secret })).toMatchObject({
      status: "ok",
      message: "HOOKWRIGHT_SECRET has 36 characters and opens the stored values",
    });
    expect(await secretOf({ HOOKWRIGHT_SECRET: otherSecret })).toMatchObject({
      status: "failed",
      message: expect.stringContaining("HOOKWRIGHT_SECRET is not the server secret that the data in"),
    });
    expect(await secretOf({})).toMatchObject({
      status: "failed",
      message: expect.stringContaining("was written with a server secret, but the file"),
    });
    const both = { HOOKWRIGHT_SECRET: otherSecret, HOOKWRIGHT_SECRET_PREVIOUS: secret };
    expect(await secretOf(both)).toMatchObject({
      status: "ok",
      message: expect.stringContaining("previous secret is still in use"),
    });
  });

  it.runIf(hasRedisServer)("of a Redis", { timeout: 60_000 }, async () => {
    await using redis = await startRedisServer();
    await using _ = await openRedisStore({ url: redis.url });
    const { find } = await examine({ HOOKWRIGHT_STORAGE: redis.url, HOOKWRIGHT_SECRET: secret });
    expect(find("storage")).toMatchObject({ status: "ok" });
    expect(find("durability")?.message).toMatch(/appendonly|appendfsync/u);
    expect(find("clock")?.message).toMatch(/^the clock of the storage is \d+ ms/u);
    expect(find("versions")?.message).toMatch(/, (?:Redis|Valkey) \d/u);
    expect(find("secret")?.message).toContain("Nothing is encrypted yet");
  });

  it.runIf(hasPostgresServer)("of a PostgreSQL", { timeout: 60_000 }, async () => {
    await using postgres = await startPostgresServer();
    const before = await examine({ HOOKWRIGHT_STORAGE: postgres.url, HOOKWRIGHT_SECRET: secret });
    for (const name of ["storage", "space", "secret"])
      expect(before.find(name)).toMatchObject({
        status: "skipped",
        message: expect.stringMatching(/^a server creates or migrates the tables in postgres:/u),
      });
    expect(await postgres.run("select 1 from pg_namespace where nspname = 'hookwright'")).toEqual([]);
    await using _ = await openPostgresStore({ url: postgres.url });
    const { find } = await examine({ HOOKWRIGHT_STORAGE: postgres.url, HOOKWRIGHT_SECRET: secret });
    expect(find("storage")).toMatchObject({ status: "ok" });
    expect(find("durability")?.message).toMatch(/fsync/u);
    expect(find("clock")?.message).toMatch(/^the clock of the storage is \d+ ms/u);
    expect(find("versions")?.message).toMatch(/, PostgreSQL \d/u);
    expect(find("outbox")).toMatchObject({
      status: "ok",
      message: expect.stringContaining("no event waits in the outbox; no process relays now"),
    });
    const severalHosts = postgres.url.replace("@", "@127.0.0.1:1,");
    const ofSeveral = await examine({ HOOKWRIGHT_STORAGE: severalHosts, HOOKWRIGHT_SECRET: secret });
    for (const name of ["storage", "clock", "outbox"])
      expect(ofSeveral.find(name)).toMatchObject({ status: "ok" });
  });

  it.runIf(hasPostgresServer)("of an outbox that nobody empties", { timeout: 60_000 }, async () => {
    await using postgres = await startPostgresServer();
    const examineOutbox = async () =>
      (await examine({ HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_OUTBOX: postgres.url })).find("outbox");
    expect(await examineOutbox()).toMatchObject({
      status: "skipped",
      message: expect.stringContaining("has no outbox yet"),
    });
    await using outbox = await openPostgresOutbox({ url: postgres.url });
    await postgres.run(`insert into hookwright.outbox (event, project_id, data, created_at)
      values ('order.created', 'site_1', '{}', now() - interval '95 seconds')`);
    expect(await examineOutbox()).toMatchObject({
      status: "failed",
      message: expect.stringMatching(
        /waited for (?:9|1\d)\d s \(id 1\) and is not published; no process relays now$/u,
      ),
      fix: expect.stringContaining("Start a process with the role all or worker"),
    });
    using _ = await outbox.openSession({ onRows() {}, onLost() {} });
    const [{ pid } = {}] = await postgres.run("select session as pid from hookwright.outbox_relay");
    expect(await examineOutbox()).toMatchObject({
      status: "failed",
      // The program has the name of the password, which is hidden everywhere.
      message: expect.stringContaining(`session ${String(pid)} relays (***, 127.0.0.1)`),
      fix: expect.stringContaining(`select pg_terminate_backend(${String(pid)})`),
    });
  });

  it("of an outbox that does not answer", async () => {
    const { code, find, text } = await examine({
      HOOKWRIGHT_STORAGE: "memory",
      HOOKWRIGHT_OUTBOX: "postgres://user:hidden@127.0.0.1:1/shop",
    });
    expect(code).toBe(1);
    expect(find("outbox")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    expect(text).not.toContain("hidden");
  });

  it("of a storage that does not answer, with the other checks", async () => {
    const { code, find } = await examine({
      HOOKWRIGHT_STORAGE: "redis://user:hidden@127.0.0.1:1",
      HOOKWRIGHT_SECRET: secret,
    });
    expect(code).toBe(1);
    expect(find("storage")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/ECONNREFUSED/u),
    });
    expect(find("secret")).toEqual({
      name: "secret",
      status: "skipped",
      message: "the storage cannot be used",
    });
  });
});

describe("what a storage tells is judged", () => {
  const good: StorageFacts = {
    version: "Redis 7.2.4",
    tooOld: undefined,
    unsafe: [],
    safe: "appendonly yes",
    clockAheadMs: 3,
    freeBytes: 2 ** 30,
  };

  it("its settings", () => {
    expect(judgeDurability(good)).toEqual({ status: "ok", message: "appendonly yes" });
    const unsafe = [
      { setting: "fsync is off", fix: "Set fsync to on." },
      { setting: "appendonly is no", fix: "Set appendonly yes." },
    ];
    expect(judgeDurability({ ...good, unsafe })).toEqual({
      status: "failed",
      message: "fsync is off; appendonly is no",
      fix: "Set fsync to on. Set appendonly yes.",
    });
  });

  it("its space, its version and its clock", () => {
    expect(judgeSpace(good, "file")).toMatchObject({ status: "ok" });
    expect(judgeSpace({ freeBytes: 1_000 }, "file")).toMatchObject({ status: "failed" });
    expect(judgeSpace({ freeBytes: undefined }, "postgres")).toMatchObject({ status: "skipped" });
    expect(judgeVersions(good, "22.18.0")).toEqual({ status: "ok", message: "Node 22.18.0, Redis 7.2.4" });
    expect(judgeVersions({ ...good, tooOld: "Redis 7 or newer, or Valkey" }, "22.18.0")).toMatchObject({
      status: "failed",
      fix: "Use Redis 7 or newer, or Valkey.",
    });
    expect(judgeClock({ ...good, clockAheadMs: -5_000 }, undefined)).toMatchObject({
      status: "failed",
      message: "the clock of the storage is 5000 ms behind this machine",
    });
    expect(judgeClock(good, 2_500)).toMatchObject({ status: "ok" });
    expect(judgeClock(good, 60_000)).toMatchObject({ status: "failed" });
  });
});

it("a check that does not end in time has failed", async () => {
  const check = { name: "slow", fix: "Wait.", run: () => new Promise<never>(() => {}) };
  expect(await runCheck(check, 20)).toEqual({
    name: "slow",
    status: "failed",
    message: "no result within 0.02 s",
    fix: "Wait.",
  });
});

it("secrets are hidden in whatever a library reports", () => {
  const secrets = secretsInUrl("smtp://user:p%40ssword@mail.example.com");
  expect(hideSecrets("535 p@ssword and p%40ssword refused", secrets)).toBe("535 *** and *** refused");
  // A word of the sentence would show a short password.
  expect(hideSecrets("the package pg", secretsInUrl("postgres://user:pg@127.0.0.1"))).toBe("the package pg");
});
