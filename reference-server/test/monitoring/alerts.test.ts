import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { createDemoOrder } from "../../src/demo/demo-order.ts";
import { startCountingReceiver } from "../support/counting-receiver.ts";
import { environmentOn, startOn, until } from "../support/fleet.ts";
import { findFreePort } from "../../../packages/storage/test/support/free-port.ts";
import { hasProgram } from "../support/has-program.ts";
import { call, hostToken } from "../support/host-api.ts";
import { connectTo, hasPostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import type { Prometheus } from "../support/prometheus.ts";
import { hasRedisServer, startRedisServer } from "../support/redis-server.ts";
import { runToEnd } from "../support/server-process.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { adminHost, adminPort, watchProcesses } from "../support/watch-alerts.ts";

/** The alerts by the test that causes them. */
const causes = {
  endpoints: [
    "HookwrightDeliveryLag",
    "HookwrightFirstAttemptSlow",
    "HookwrightEndpointFlooded",
    "HookwrightAttemptsFailing",
    "HookwrightWebhooksSwitchedOff",
  ],
  storage: ["HookwrightStorageFilling", "HookwrightStorageSlow", "HookwrightOutboxRejected"],
  secret: ["HookwrightSecretUnreadable"],
  outage: [
    "HookwrightStorageDown",
    "HookwrightProcessNotReady",
    "HookwrightOutboxLag",
    "HookwrightRequestsFailing",
    "HookwrightGuessing",
  ],
  clock: ["HookwrightClockSkew"],
  pauseAndCrashes: [
    "HookwrightScrapeFailed",
    "HookwrightPartitionsUnserved",
    "HookwrightLeasesLost",
    "HookwrightProcessRestarting",
  ],
  end: ["HookwrightAbsent"],
};

const mayRun = hasProgram("prometheus") && hasRedisServer && hasPostgresServer;
/** Nothing listens there. */
const closedPort = "http://127.0.0.1:1";

it("each alert is caused below", () => {
  const file = fileURLToPath(
    new URL("../../../docs/operations/monitoring/alerts.rules.yml", import.meta.url),
  );
  const names = [...readFileSync(file, "utf8").matchAll(/- alert: (\w+)/gu)].map(([, name]) => name);
  expect(Object.values(causes).flat().toSorted()).toEqual(names.toSorted());
});

describe.skipIf(!mayRun)(
  "real faults make Prometheus fire",
  { concurrent: true, timeout: 180_000, tags: ["long"] },
  () => {
    it("the alerts about endpoints, and the metrics of two workers add up", async () => {
      await using stack = new AsyncDisposableStack();
      const [redis, healthy, slow] = await Promise.all([
        startRedisServer(),
        startCountingReceiver(),
        startCountingReceiver({ answerAfterMs: 3_000 }),
      ]);
      for (const part of [redis, healthy, slow]) stack.use(part);
      const env = { ...adminPort, HOOKWRIGHT_ENDPOINT_BACKOFF: "0" };
      const [api, ...workers] = await Promise.all([
        startOn(redis.url, "api", env),
        startOn(redis.url, "worker", env),
        startOn(redis.url, "worker", env),
      ]);
      for (const server of [api, ...workers]) stack.use(server);
      const { prometheus, missing } = await watchProcesses(stack, [api, ...workers]);
      await expectSums(prometheus, api, healthy.url);

      // One endpoint gets more than it takes, and 20 endpoints are down.
      await addWebhooks(api, "flooded", [slow.url]);
      const down = Array.from({ length: 20 }, (_, index) => `${closedPort}/${index}`);
      await addWebhooks(api, "down", down);
      await publish(api, "down", 6);
      await publish(api, "flooded", 3_000);
      expect(await missing(causes.endpoints)).toEqual([]);
    });

    it("the alerts about the storage, the secret and the outbox", async () => {
      await using stack = new AsyncDisposableStack();
      const [redis, postgres, healthy] = await Promise.all([
        startRedisServer(["--maxmemory", "100mb"]),
        startPostgresServer(),
        startCountingReceiver(),
      ]);
      for (const part of [redis, postgres, healthy]) stack.use(part);
      // Another program fills the memory of Redis.
      redis.run("setrange", "filler", String(82 * 2 ** 20), "x");
      const server = stack.use(
        await startOn(redis.url, "all", { ...adminPort, HOOKWRIGHT_OUTBOX: postgres.url }),
      );
      const { missing } = await watchProcesses(stack, [server]);
      await addWebhooks(server, "steady", [healthy.url]);
      await addWebhooks(server, "later", [healthy.url]);
      const client = stack.use(await connectTo(postgres.url));
      const insert = "insert into hookwright.outbox (event, project_id, data) values ($1, $2, $3)";
      await client.query(insert, ["no.event", "site_later", "{}"]);

      // Redis hardly keeps up.
      const slowing = setInterval(() => {
        redis.run("client", "pause", "700");
        void publish(server, "steady", 10).catch(() => {});
      }, 1_500);
      const stillHealthy = await missing(causes.storage).finally(() => clearInterval(slowing));
      expect(stillHealthy).toEqual([]);

      // Somebody rotates the secret, but the server knows only the old one.
      const environment = environmentOn(redis.url);
      const rotation = {
        ...environment,
        HOOKWRIGHT_SECRET_PREVIOUS: environment["HOOKWRIGHT_SECRET"] ?? "",
        HOOKWRIGHT_SECRET: "another secret, which no server knows",
      };
      expect(await runToEnd({ args: ["rotate-secret"], env: rotation })).toMatchObject({ code: 0 });
      await publish(server, "later", 1);
      expect(await missing(causes.secret)).toEqual([]);

      await redis.kill9();
      const order = JSON.stringify(createDemoOrder({ id: "ord_1", number: "1", createdAt: Date.now() }));
      await client.query(insert, ["order.created", "site_later", order]);
      const stats = `${server.url}/host/v1/stats`;
      const ask = (token: string): void =>
        void fetch(stats, { headers: { authorization: `Bearer ${token}` } }).catch(() => {});
      const asking = setInterval(() => ["a guess", hostToken].forEach(ask), 200);
      const stillUp = await missing(causes.outage).finally(() => clearInterval(asking));
      expect(stillUp).toEqual([]);
    });

    it("the alerts about processes", async () => {
      await using stack = new AsyncDisposableStack();
      const redis = stack.use(await startRedisServer());
      // Node starts with a clock that is 30 s ahead.
      const ahead = "const%20now=Date.now;Date.now=()=>now()+30000";
      const port = await findFreePort();
      const startCrashing = () =>
        startOn(redis.url, "worker", { ...adminPort, HOOKWRIGHT_ADMIN_PORT: String(port) });
      const [paused, skewed, crashing] = await Promise.all([
        startOn(redis.url, "worker", adminPort),
        startOn(redis.url, "worker", {
          ...adminPort,
          NODE_OPTIONS: `--import=data:text/javascript,${ahead}`,
        }),
        startCrashing(),
      ]);
      let latest = crashing;
      stack.defer(() => latest[Symbol.asyncDispose]());
      for (const worker of [paused, skewed]) stack.use(worker);
      const { prometheus, missing } = await watchProcesses(stack, [paused, skewed, crashing]);
      expect(await missing(causes.clock)).toEqual([]);

      await Promise.all([pause(), crash()]);
      expect(await missing(causes.pauseAndCrashes)).toEqual([]);

      await Promise.all([paused, skewed, latest].map((worker) => worker.kill9()));
      expect(await missing(causes.end)).toEqual([]);

      /** A virtual machine stands still for longer than its leases last. */
      async function pause(): Promise<void> {
        paused.signal("SIGSTOP");
        const others = `sum(hookwright_partitions_leased{instance!="${adminHost(paused)}"})`;
        await until(async () => (await prometheus.query(others)) === 64, 40_000);
        paused.signal("SIGCONT");
      }

      async function crash(): Promise<void> {
        const starts = `changes(process_start_time_seconds{instance="${adminHost(latest)}"}[1m])`;
        for (let crashes = 1; crashes <= 3; crashes += 1) {
          // By SIGKILL.
          await latest[Symbol.asyncDispose]();
          latest = await startCrashing();
          await until(async () => (await prometheus.query(starts)) >= crashes);
        }
      }
    });
  },
);

async function expectSums(prometheus: Prometheus, api: ServerProcess, url: string): Promise<void> {
  const accounts = Array.from({ length: 12 }, (_, index) => `sum-${index}`);
  await Promise.all(accounts.map((name) => addWebhooks(api, name, [url])));
  for (const name of accounts) await publish(api, name, 2);
  const sums = {
    "sum(hookwright_deliveries_total)": 24,
    "sum(hookwright_first_attempt_delay_seconds_count)": 24,
    "count(count by (instance) (hookwright_attempts_total))": 2,
    "sum(hookwright_partitions_leased)": 64,
    'sum(hookwright_requests_total{route="/host/v1/events"})': 12,
    'sum(hookwright_webhooks{status="active"})': 12,
  };
  // The processes are scraped at different times, and a count is used for fifty times as long as it took, see `createMeasurement`.
  const read = async () =>
    Object.fromEntries(
      await Promise.all(Object.keys(sums).map(async (name) => [name, await prometheus.query(name)])),
    );
  await until(async () => isDeepStrictEqual(await read(), sums), 60_000).catch(() => {});
  expect(await read()).toEqual(sums);
}

/** Creates an account, a site and a webhook for each URL. */
async function addWebhooks(server: ServerProcess, name: string, urls: readonly string[]): Promise<void> {
  const put = (path: string, body: unknown) => call(server, `/host/v1/${path}`, { method: "PUT", body });
  await put(`accounts/acc_${name}`, { name, email: `${name}@example.com` });
  await put(`projects/site_${name}`, { account_id: `acc_${name}`, name });
  const path = `/host/v1/accounts/acc_${name}/api-keys`;
  const { api_key: key } = await call(server, path, { method: "POST", body: { name } });
  for (const target_url of urls)
    await call(server, "/v1/webhooks", {
      method: "POST",
      token: String(key),
      body: { event: "order.created", target_url },
    });
}

async function publish(server: ServerProcess, name: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += 100) {
    const body = Array.from({ length: Math.min(100, count - first) }, (_, index) => {
      const number = String(first + index);
      const data = createDemoOrder({ id: `ord_${name}_${number}`, number, createdAt: Date.now() });
      return { event: "order.created", project_id: `site_${name}`, data };
    });
    await call(server, "/host/v1/events", { method: "POST", body });
  }
}
