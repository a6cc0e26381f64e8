// From nothing to two workers behind TLS with metrics and alerts, without containers:
//
//   npm run build && node reference-server/deploy/try-cluster.ts [--storage postgres|redis] [--keep]
//
// It starts the real programs with the configuration of this folder: PostgreSQL or Redis, one api process, two workers, Caddy with a
// certificate of its own authority, and Prometheus. Then it publishes an event and follows it to a receiver. --keep leaves
// everything running until Ctrl+C. Needs Node 24 or newer, and the packages postgresql or redis-server, caddy and prometheus.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createDemoOrder } from "../src/demo/demo-order.ts";
import { startPostgresServer } from "../test/support/postgres-server.ts";
import { startPrometheus } from "../test/support/prometheus.ts";
import { startCaddy } from "../test/support/proxies.ts";
import type { Proxy } from "../test/support/proxies.ts";
import { startRedisServer } from "../test/support/redis-server.ts";
import { startServer } from "../test/support/server-process.ts";
import { send } from "../test/support/through-proxy.ts";
import { startVerifyingReceiver } from "../test/support/verifying-receiver.ts";

const { values: given } = parseArgs({
  options: { storage: { type: "string", default: "postgres" }, keep: { type: "boolean", default: false } },
});
const startedAt = performance.now();
await using opened = new AsyncDisposableStack();

const secrets = await writeSecrets(["secret", "host_token", "metrics_token"]);
const storage = opened.use(await (given.storage === "redis" ? startRedisServer() : startPostgresServer()));
report(`${given.storage} runs`);

const [api, ...workers] = await Promise.all([
  startProcess("api"),
  startProcess("worker"),
  startProcess("worker"),
]);
report("one api process and two workers run");

const proxy = opened.use(await startCaddy({ isBelowPath: false, upstream: new URL(api.url).host }));
const site = `https://localhost:${proxy.httpsPort}`;
const { status: refused } = await send(proxy, "/host/v1/stats", { headers: bearer(secrets.host_token) });
expectEqual(refused, 404, "status of the host API through Caddy");
report(`Caddy serves ${site}, without the host API`);

// Prometheus looks for targets every 5 s.
const [metricsUrl] = await Promise.all([watch(), deliverAnEvent(proxy)]);

if (given.keep) {
  process.stdout
    .write(`\nConsole: ${site}/console (owner@example.com, password: ${secrets.secret.slice(0, 16)})
Metrics: ${metricsUrl}
Dashboard: import the JSON files of docs/operations/monitoring into Grafana, with this Prometheus as the data source.
Ctrl+C stops everything.\n`);
  await once(process, "SIGINT");
}

/** Starts Prometheus and waits until it has scraped every process. Returns its URL. */
async function watch(): Promise<string> {
  const prometheus = opened.use(
    await startPrometheus({
      metricsToken: secrets.metrics_token,
      targets: { api: [api.adminHost], worker: workers.map(({ adminHost }) => adminHost) },
    }),
  );
  const targets = await prometheus.scraped();
  for (const [target, health] of targets) expectEqual(health, "up", `health of ${target} in Prometheus`);
  expectEqual(targets.size, 3, "number of targets in Prometheus");
  const alerts = await prometheus.alerts();
  report(`Prometheus at ${prometheus.url} scrapes ${targets.size} processes and has ${alerts.length} alerts`);
  return prometheus.url;
}

/** Creates an account and a webhook, publishes an order and waits until a receiver has verified it. */
async function deliverAnEvent(site: Proxy): Promise<void> {
  const receiver = opened.use(await startVerifyingReceiver());
  // The host calls the server itself, in the private network.
  const host = (method: string, route: string, body: unknown) =>
    readData(fetch(`${api.url}/host/v1/${route}`, toRequest(method, secrets.host_token, body)));
  const password = secrets.secret.slice(0, 16);
  await host("PUT", "accounts/acc_trial", { name: "Trial", email: "owner@example.com", password });
  await host("PUT", "projects/site_trial", { account_id: "acc_trial", name: "Trial" });
  const { api_key: apiKey } = await host("POST", "accounts/acc_trial/api-keys", { name: "trial" });

  // The integrator comes from outside, through TLS.
  const webhook = await call(site, "POST", "/v1/webhooks", String(apiKey), {
    event: "order.created",
    target_url: `${receiver.url}/hook`,
  });
  receiver.secrets.set("/hook", String(webhook["signing_secret"]));
  const data = createDemoOrder({ id: "ord_1", number: "1001", createdAt: Date.now() });
  await host("POST", "events", { event: "order.created", project_id: "site_trial", data });
  await until(() => receiver.accepted.size === 1, "the delivery of the order");
  report("an order was published, delivered by a worker and verified by a receiver");
  await until(async () => {
    const deliveries = await call(site, "GET", "/developer/v1/deliveries", String(apiKey));
    return JSON.stringify(deliveries).includes('"status":"delivered"');
  }, "the delivery in the log");
  report("the log shows it through TLS");
}

async function startProcess(role: "api" | "worker") {
  const server = opened.use(
    await startServer({
      args: ["serve", "--role", role],
      env: {
        HOOKWRIGHT_STORAGE: storage.url,
        HOOKWRIGHT_SECRET_FILE: secrets.file("secret"),
        HOOKWRIGHT_HOST_TOKEN_FILE: secrets.file("host_token"),
        HOOKWRIGHT_METRICS_TOKEN_FILE: secrets.file("metrics_token"),
        HOOKWRIGHT_ADMIN_PORT: "0",
        HOOKWRIGHT_TRUST_PROXY: "1",
        // The receiver of this trial is on this machine.
        HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      },
    }),
  );
  const [, adminHost = ""] = /"admin_url":"http:\/\/([^"]+)"/u.exec(server.stdout) ?? [];
  return { url: server.url, adminHost };
}

async function writeSecrets<Name extends string>(names: readonly Name[]) {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-secrets-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const file = (name: Name): string => path.join(folder, name);
  const values = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString("base64url")]));
  for (const name of names) await writeFile(file(name), values[name] ?? "", { mode: 0o600 });
  return { ...(values as Record<Name, string>), file };
}

async function call(
  site: Proxy,
  method: string,
  route: string,
  token: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const { status, text } = await send(site, route, { method, headers: bearer(token), body });
  if (status >= 300) throw new Error(`${method} ${route}: ${status} ${text}`);
  return JSON.parse(text).data;
}

function toRequest(method: string, token: string, body: unknown): RequestInit {
  return {
    method,
    headers: { ...bearer(token), "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

async function readData(responding: Promise<Response>): Promise<Record<string, unknown>> {
  const response = await responding;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return JSON.parse(text).data;
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)}, not ${String(expected)}`);
}

function report(what: string): void {
  process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${what}\n`);
}
