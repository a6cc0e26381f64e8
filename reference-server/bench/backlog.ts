import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "../test/support/server-process.ts";
import type { ServerProcess } from "../test/support/server-process.ts";
import { callServer } from "./support/host-client.ts";
import { openBacklogReceiver } from "./support/open-backlog-receiver.ts";
import type { BacklogReceiver } from "./support/open-backlog-receiver.ts";
import { openTimingReceiver } from "./support/open-timing-receiver.ts";
import type { TimingReceiver } from "./support/open-timing-receiver.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { printTable, quantile } from "./support/table.ts";

/**
 * A real server that finds a million deliveries waiting for endpoints that fail or hang: how soon it is ready, how much memory
 * it takes, and how long the deliveries of a healthy account take, at first and then, each beside the same server on an empty directory.
 */
const eventsOfAccount = Number(process.env["BENCH_EVENTS"] ?? 1_000);
const accounts = 20;
const webhooksOfAccount = 50;
const batch = 100;
const publishEveryMs = 20;
/** So long V8 compiles what a server does beside a backlog, and slow endpoints earn their room. What is measured meanwhile is told apart. */
const warmUpMs = 20_000;
const measuredMs = Number(process.env["BENCH_SECONDS"] ?? 24) * 1_000;
/** The two take turns: a machine that is slow for a while is so for both. */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 2);

const token = "host-token-of-the-bench";
const env = {
  HOOKWRIGHT_HOST_TOKEN: token,
  HOOKWRIGHT_PRIVATE_TARGETS: "allow",
  HOOKWRIGHT_RATE_LIMIT: "1000000000",
  // Every retry is an hour away: what is measured is the first pass over what waits.
  HOOKWRIGHT_RETRY_DELAYS: "3600,3600,3600,3600,3600",
};

async function createAccount(url: string, name: string, targets: readonly string[]): Promise<void> {
  const call = (method: string, path: string, body: unknown, bearer = token) =>
    callServer(url, path, { method, token: bearer, body });
  await call("PUT", `/host/v1/accounts/acc_${name}`, { name, email: `${name}@example.com` });
  await call("PUT", `/host/v1/projects/site_${name}`, { account_id: `acc_${name}`, name });
  const { api_key: key } = await call("POST", `/host/v1/accounts/acc_${name}/api-keys`, { name: "bench" });
  for (const target of targets)
    await call("POST", "/v1/webhooks", { event: "order.created", target_url: target }, String(key));
}

/** The endpoints: what keeps others waiting is a process of its own, so that it is the server alone that can hold up who does well. */
interface Receivers {
  readonly healthy: TimingReceiver;
  readonly bad: BacklogReceiver;
}

/** A process that delivers nothing publishes everything: it all waits. */
async function fill(directory: string, { healthy, bad }: Receivers, backlogged: number): Promise<void> {
  await using server = await startServer({ directory, env: { ...env, HOOKWRIGHT_ROLE: "api" } });
  await createAccount(server.url, "healthy", [`${healthy.healthyOrigin}/healthy`]);
  for (let account = 0; account < backlogged; account++) {
    const name = `bad${account}`;
    const targets = Array.from({ length: webhooksOfAccount }, (_, index) =>
      index % 2 === 0 ? `${bad.failingOrigin}/${account}/${index}` : `${bad.slowOrigin}/${account}/${index}`,
    );
    await createAccount(server.url, name, targets);
    for (let first = 0; first < eventsOfAccount; first += batch) {
      const events = Array.from({ length: Math.min(batch, eventsOfAccount - first) }, (_, index) => ({
        event: "order.created",
        project_id: `site_${name}`,
        data: { ...sampleOrder(first + index), id: `ord_${name}_${first + index}` },
      }));
      await callServer(server.url, "/host/v1/events", { method: "POST", token, body: events });
    }
    process.stderr.write(`account ${account + 1} of ${backlogged} has its backlog\n`);
  }
  await server.stop();
}

async function anonymousMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

interface Measured {
  readonly readyMs: number;
  readonly memory: number;
  readonly latencies: readonly number[];
  readonly latenciesAtFirst: readonly number[];
  readonly attemptsOnBad: number;
}

interface Published {
  readonly at: number;
  readonly isAtFirst: boolean;
}

async function measure(directory: string, { healthy, bad }: Receivers): Promise<Measured> {
  const begun = performance.now();
  await using server = await startServer({ directory, env });
  while (!(await fetch(`${server.url}/readyz`)).ok) await pause(5);
  const readyMs = performance.now() - begun;
  await healthy.arrivals();
  await bad.deliveries();
  const memories: number[] = [];
  const published = new Map<string, Published>();
  const under = new Set<Promise<void>>();
  const start = performance.now();
  let nextMemory = start;
  for (let event = 0; performance.now() - start < warmUpMs + measuredMs; event++) {
    const isAtFirst = performance.now() - start < warmUpMs;
    const publish = publishOne(server, event).then(({ id, at }) => void published.set(id, { at, isAtFirst }));
    under.add(publish);
    void publish.finally(() => under.delete(publish));
    if (performance.now() > nextMemory) {
      nextMemory += 1_000;
      memories.push(await anonymousMebibytes(server.pid));
    }
    await pause(publishEveryMs);
  }
  await Promise.all(under);
  await pause(1_000);
  const arrivals = await healthy.arrivals();
  const attemptsOnBad = await bad.deliveries();
  const latencies: number[] = [];
  const latenciesAtFirst: number[] = [];
  for (const [id, { at, isAtFirst }] of published) {
    const arrival = arrivals.get(id);
    if (arrival === undefined) throw new Error(`delivery ${id} of the healthy account has not come`);
    (isAtFirst ? latenciesAtFirst : latencies).push(arrival - at);
  }
  return { readyMs, memory: Math.max(...memories), latencies, latenciesAtFirst, attemptsOnBad };
}

/** The longest start, the most memory, and all latencies of some runs. */
function together(runs: readonly Measured[]): Measured {
  return {
    readyMs: Math.max(...runs.map(({ readyMs }) => readyMs)),
    memory: Math.max(...runs.map(({ memory }) => memory)),
    latencies: runs.flatMap(({ latencies }) => latencies),
    latenciesAtFirst: runs.flatMap(({ latenciesAtFirst }) => latenciesAtFirst),
    attemptsOnBad: runs.reduce((sum, { attemptsOnBad }) => sum + attemptsOnBad, 0),
  };
}

let orders = 0;
async function publishOne(
  server: ServerProcess,
  event: number,
): Promise<{ readonly id: string; readonly at: number }> {
  const at = Number(process.hrtime.bigint()) / 1e6;
  const data = { ...sampleOrder(event), id: `ord_${++orders}` };
  const { deliveries } = await callServer(server.url, "/host/v1/events", {
    method: "POST",
    token,
    body: { event: "order.created", project_id: "site_healthy", data },
  });
  const id: unknown = Array.isArray(deliveries) ? deliveries[0] : undefined;
  if (typeof id !== "string") throw new Error("a publish made no delivery");
  return { id, at };
}

await using healthy = await openTimingReceiver();
await using bad = await openBacklogReceiver();
const receivers: Receivers = { healthy, bad };
const [empty, backlogged] = await Promise.all(
  ["empty", "backlog"].map((name) => mkdtemp(join(tmpdir(), `hookwright-${name}-`))),
);
if (empty === undefined || backlogged === undefined) throw new Error("no directories");
try {
  await fill(empty, receivers, 0);
  await fill(backlogged, receivers, accounts);
  const runs: { readonly without: Measured; readonly within: Measured }[] = [];
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`round ${round} of ${rounds} …\n`);
    const without = await measure(empty, receivers);
    runs.push({ without, within: await measure(backlogged, receivers) });
  }
  const without = together(runs.map((run) => run.without));
  const within = together(runs.map((run) => run.within));
  const total = accounts * webhooksOfAccount * eventsOfAccount;
  const p99 = ({ latencies }: Measured): number => quantile(latencies, 0.99);
  const p99AtFirst = ({ latenciesAtFirst }: Measured): number => quantile(latenciesAtFirst, 0.99);
  const atFirst = `first ${warmUpMs / 1_000} s: p99`;
  const rowOf = (name: string, of: Measured) => ({
    "": name,
    "ready ms": of.readyMs.toFixed(0),
    "RssAnon MiB": of.memory.toFixed(0),
    "p50 ms": quantile(of.latencies, 0.5).toFixed(2),
    "p99 ms": p99(of).toFixed(2),
    [atFirst]: p99AtFirst(of).toFixed(2),
    "attempts on bad": of.attemptsOnBad.toLocaleString("en"),
  });
  printTable(
    `A server that finds ${total.toLocaleString("en")} deliveries waiting, ${publishEveryMs} ms between publishes of a healthy account`,
    [
      rowOf("empty directory", without),
      rowOf("with the backlog", within),
      {
        "": "difference",
        "ready ms": "",
        "RssAnon MiB": `+ ${(within.memory - without.memory).toFixed(0)}`,
        "p50 ms": "",
        "p99 ms": `${(p99(within) / p99(without)).toFixed(2)} ×`,
        [atFirst]: `${(p99AtFirst(within) / p99AtFirst(without)).toFixed(2)} ×`,
        "attempts on bad": "",
      },
      {
        "": "budget",
        "ready ms": "< 3000",
        "RssAnon MiB": "< + 150",
        "p50 ms": "",
        "p99 ms": "≤ 1.10 ×",
        [atFirst]: "",
        "attempts on bad": "",
      },
    ],
  );
  console.log();
} finally {
  await rm(empty, { recursive: true, force: true });
  await rm(backlogged, { recursive: true, force: true });
}
