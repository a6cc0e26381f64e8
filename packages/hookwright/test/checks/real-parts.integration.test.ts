import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { bindServerSecret } from "@hookwright/service";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { openPostgresOutbox, openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { expect, it, onTestFinished } from "vitest";
import { createCertificate } from "../../../delivery/test/transport/support/certificate.ts";
import { openConnectProxy } from "../../../delivery/test/transport/support/connect-proxy.ts";
import { hasPostgresServer, startPostgresServer } from "../../../storage/test/support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "../../../storage/test/support/redis-server.ts";
import { checkHookwright } from "../../src/index.ts";
import type { CheckedHookwrightOptions, CheckOptions } from "../../src/index.ts";
import { listenLocally } from "../support/listen-locally.ts";

const secret = "a secret of these tests, 32 and more";
const otherSecret = "another secret of these tests, 32 long";
const ofStorage = ["storage", "durability", "space", "secret", "data", "outbox", "clock", "versions"];
const ofNetwork = ["clock", "egress", "dns", "proxy", "tls"];

async function check(options: Partial<CheckedHookwrightOptions>, checkOptions: CheckOptions) {
  const results = await checkHookwright({ store: memoryStore(), secret, ...options }, checkOptions);
  expect(JSON.stringify(results)).not.toContain("hidden");
  return Object.fromEntries(results.map(({ name, ...found }) => [name, found]));
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-checks-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An endpoint with a certificate that no machine trusts. */
async function openEndpoint() {
  const authority = createCertificate({ name: "Test authority", isAuthority: true });
  const { key, cert } = createCertificate({ name: "127.0.0.1", issuer: authority });
  const server = createTlsServer({ key, cert }, (socket) => socket.on("error", () => socket.destroy()));
  const local = await listenLocally(server);
  onTestFinished(() => local[Symbol.asyncDispose]());
  return { url: `https://127.0.0.1:${local.port}`, ca: authority.cert };
}

it("a directory, beside a process that has it open", async () => {
  const directory = await makeFolder();
  await using running = await openFilesystemStore({ directory });
  await bindServerSecret({ store: running, secret });
  const store = () => openFilesystemStore({ directory });
  const found = await check({ store }, { only: ofStorage, labels: { store: "the data" } });
  expect(found).toMatchObject({
    storage: { status: "ok", message: expect.stringMatching(/^the data: reads take /u) },
    space: { message: expect.stringMatching(/^\d+ MiB are free$/u) },
    secret: { status: "ok", message: "secret has 36 characters and opens the stored values" },
    data: { status: "warning", message: "the data has no account" },
  });
  expect(await running.list({ prefix: ["p00", "readiness"], limit: 10 })).toEqual([]);
});

it("the secret of the data", async () => {
  const store = memoryStore();
  await bindServerSecret({ store, secret: otherSecret });
  const check1 = (options: Partial<CheckedHookwrightOptions>) =>
    check({ store, ...options }, { only: ["secret"] });
  expect(await check1({})).toMatchObject({
    secret: {
      status: "failed",
      message: expect.stringMatching(/^secret: is not the secret that the data in this store was written/u),
    },
  });
  expect(await check1({ previousSecrets: [otherSecret] })).toMatchObject({
    secret: { status: "ok", message: expect.stringContaining("previous secret is still in use") },
  });
  expect(await check1({ secret: otherSecret, previousSecrets: [secret] })).toMatchObject({
    secret: { status: "ok", message: expect.stringContaining("no longer needed") },
  });
});

it("a directory that cannot be used", async () => {
  const file = path.join(await makeFolder(), "file");
  await writeFile(file, "");
  const store = () => openFilesystemStore({ directory: path.join(file, "data") });
  const found = await check({ store }, { only: ofStorage });
  expect(found["storage"]).toMatchObject({ status: "failed", message: expect.stringContaining(file) });
  for (const name of ["durability", "space", "secret", "data"])
    expect(found[name]).toEqual({ status: "skipped", message: "the storage cannot be used" });
});

it("a Redis that cannot be reached", async () => {
  const store = () => openRedisStore({ url: "redis://user:hidden@127.0.0.1:1" });
  const found = await check({ store }, { only: [...ofStorage, "egress"] });
  expect(found["storage"]).toMatchObject({
    status: "failed",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  expect(found["secret"]).toEqual({ status: "skipped", message: "the storage cannot be used" });
  expect(found["egress"]).toMatchObject({ status: "skipped" });
});

it.runIf(hasRedisServer)("a Redis that may lose data", { timeout: 60_000 }, async () => {
  await using redis = await startRedisServer();
  const store = () => openRedisStore({ url: redis.url, onWarning() {} });
  expect(await check({ store }, { only: ofStorage })).toMatchObject({
    storage: { status: "ok" },
    durability: { status: "failed", message: expect.stringMatching(/appendonly|appendfsync/u) },
    space: { status: "skipped", message: expect.stringContaining("no memory limit") },
    secret: { message: expect.stringContaining("Nothing is encrypted yet") },
    data: { status: "warning", message: "the redis storage is empty" },
    clock: { status: "ok", message: expect.stringMatching(/^the clock of the storage is \d+ ms/u) },
    versions: { message: expect.stringMatching(/, (?:Redis|Valkey) \d/u) },
  });
  redis.run("config", "set", "maxmemory", "100mb");
  expect(await check({ store }, { only: ["space"] })).toMatchObject({
    space: { status: "failed", fix: expect.stringContaining("Raise maxmemory") },
  });
});

it.runIf(hasPostgresServer)(
  "a PostgreSQL, before and after its tables exist",
  { timeout: 60_000 },
  async () => {
    await using postgres = await startPostgresServer();
    const { url } = postgres;
    const store = () => openPostgresStore({ url, migrate: false });
    const before = await check({ store }, { only: ofStorage });
    for (const name of ["storage", "space", "secret"])
      expect(before[name]).toMatchObject({
        status: "skipped",
        message: "a server creates or migrates the tables in the storage at its start",
      });
    expect(await postgres.run("select 1 from pg_namespace where nspname = 'hookwright'")).toEqual([]);
    await using _ = await openPostgresStore({ url });
    const after = await check({ store, outbox: { url } }, { only: ofStorage, labels: { store: "shop" } });
    expect(after).toMatchObject({
      storage: { status: "ok" },
      durability: { message: expect.stringMatching(/fsync/u) },
      clock: { status: "ok", message: expect.stringMatching(/^the clock of the storage is \d+ ms/u) },
      versions: { message: expect.stringMatching(/, PostgreSQL \d/u) },
      outbox: { status: "ok", message: "shop: no event waits in the outbox; no process relays now" },
    });
    await postgres.run("create role app login password 'hidden-one'");
    const ofRole = url.replace(/\/\/[^@]+@/u, "//app:hidden-one@");
    const without = await check(
      { store: () => openPostgresStore({ url: ofRole, migrate: false }) },
      { only: ["storage"] },
    );
    expect(without["storage"]).toMatchObject({
      status: "failed",
      message: expect.stringContaining("permission denied"),
    });
  },
);

it.runIf(hasPostgresServer)("an outbox that nobody empties", { timeout: 60_000 }, async () => {
  await using postgres = await startPostgresServer();
  const { url } = postgres;
  const checkOutbox = async () => (await check({ outbox: { url } }, { only: ["outbox"] }))["outbox"];
  expect(await checkOutbox()).toMatchObject({
    status: "skipped",
    message: expect.stringContaining("has no outbox yet"),
  });
  expect(await postgres.run("select 1 from pg_namespace where nspname = 'hookwright'")).toEqual([]);
  await using outbox = await openPostgresOutbox({ url });
  await postgres.run(`insert into hookwright.outbox (event, project_id, data, created_at)
    values ('order.created', 'site_1', '{}', now() - interval '95 seconds')`);
  expect(await checkOutbox()).toMatchObject({
    status: "failed",
    message: expect.stringMatching(
      /waited for (?:9|1\d)\d s \(id 1\) and is not published; no process relays now$/u,
    ),
    fix: expect.stringContaining("Start a process with the role all or worker"),
  });
  using _ = await outbox.openSession({ onRows() {}, onLost() {} });
  const [{ pid } = {}] = await postgres.run("select session as pid from hookwright.outbox_relay");
  expect(await checkOutbox()).toMatchObject({
    status: "failed",
    message: expect.stringContaining(`session ${String(pid)} relays (`),
    fix: expect.stringContaining(`select pg_terminate_backend(${String(pid)})`),
  });
});

it("an outbox that does not answer", async () => {
  const outbox = { url: "postgres://user:hidden@127.0.0.1:1/shop" };
  expect(await check({ outbox }, { only: ["outbox"] })).toMatchObject({
    outbox: { status: "failed", message: expect.stringContaining("ECONNREFUSED") },
  });
});

it("the network of deliveries", async () => {
  const endpoint = await openEndpoint();
  const proxy = await openConnectProxy({ refuses: (target) => target !== new URL(endpoint.url).host });
  const egress = {
    ca: endpoint.ca,
    proxy: `http://user:hidden@127.0.0.1:${proxy.port}`,
    sourceAddress: "127.0.0.2",
  };
  const found = await check({ egress }, { only: ofNetwork, probeUrl: endpoint.url });
  expect(found).toMatchObject({
    egress: { status: "ok", message: "deliveries use the source address 127.0.0.2, more authorities" },
    proxy: { status: "ok", message: expect.stringMatching(/refuses private addresses and opens a tunnel/u) },
    tls: { status: "ok", message: expect.stringMatching(/answers with TLSv1\.3 after \d+ ms$/u) },
  });
  const open = await openConnectProxy();
  expect(
    await check({ egress: { proxy: `http://127.0.0.1:${open.port}` } }, { only: ["proxy"] }),
  ).toMatchObject({
    proxy: { status: "failed", message: expect.stringContaining("reaches 127.0.0.1") },
  });
});

it("a network that does not work", async () => {
  const endpoint = await openEndpoint();
  const options: Partial<CheckedHookwrightOptions> = {
    publicUrl: "http://127.0.0.1:1",
    egress: { sourceAddress: "192.0.2.7" },
    allowTargets: ["10.1.0.0/16", "fd00::/64", "10.1.2.3", "localhost", "hooks.does-not-exist.invalid"],
  };
  const hostNames = ["does-not-exist.invalid"];
  const found = await check(options, { only: ofNetwork, hostNames, probeUrl: endpoint.url });
  expect(found).toMatchObject({
    clock: { status: "skipped", message: expect.stringContaining("cannot be reached") },
    egress: {
      status: "failed",
      message: expect.stringMatching(/^egress\.sourceAddress: must be an IP address .+ 192\.0\.2\.7$/u),
    },
    dns: {
      status: "failed",
      message: expect.stringMatching(
        /^does-not-exist\.invalid cannot be resolved \(.+\); hooks\.does-not-exist\.invalid cannot be resolved \(.+\)$/u,
      ),
    },
    proxy: { status: "skipped", message: expect.stringMatching(/^egress\.proxy is not set/u) },
    tls: { status: "failed", fix: expect.stringContaining("(egress.ca)") },
  });
  const egress = { proxy: "http://user:hidden@127.0.0.1:1" };
  expect(await check({ egress }, { only: ["proxy"] })).toMatchObject({
    proxy: {
      status: "failed",
      message: expect.stringContaining("127.0.0.1:1 cannot be reached"),
      fix: expect.stringContaining("Check egress.proxy"),
    },
  });
});

it("the clock behind the public URL", async () => {
  const other = await listenLocally(
    createHttpServer((_, response) => {
      response.setHeader("date", new Date(Date.now() + 3_600_000).toUTCString()).end();
    }),
  );
  onTestFinished(() => other[Symbol.asyncDispose]());
  const publicUrl = `http://127.0.0.1:${other.port}`;
  expect(await check({ publicUrl }, { only: ["clock"] })).toMatchObject({
    clock: { status: "failed", fix: expect.stringContaining("NTP") },
  });
});
