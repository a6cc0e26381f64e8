import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillBacklog } from "./support/fill-backlog.ts";
import { startMeasuredServer } from "./support/measured-server.ts";
import { openBacklogReceiver } from "./support/open-backlog-receiver.ts";
import { openTimingReceiver } from "./support/open-timing-receiver.ts";
import { quantileRatio } from "./support/quantile-ratio.ts";
import { printTable, quantile } from "./support/table.ts";

/**
 * A real server that finds a million deliveries waiting for endpoints that fail or hang: how soon it is ready, how much memory
 * it takes, and how long the deliveries of a healthy account take, at first and then, each beside the same server on an empty directory.
 * With `BENCH_EVENTS=0` nothing waits for the thousand endpoints: what the two differ by then is hardly more than the machine's own noise.
 */
const eventsOfAccount = Number(process.env["BENCH_EVENTS"] ?? 1_000);
const accounts = 20;
const webhooksOfAccount = 50;
const publishEveryMs = Number(process.env["BENCH_PUBLISH_EVERY"] ?? 10);
/** So long V8 compiles what a server does beside a backlog, and slow endpoints earn their room. What is measured meanwhile is told apart. */
const warmUpMs = 20_000;
const measuredSeconds = Number(process.env["BENCH_SECONDS"] ?? 24);
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

interface Measured {
  readonly readyMs: number;
  readonly mebibytes: number;
  readonly latenciesAtFirst: readonly number[];
  /** Of each second. */
  readonly latencies: readonly (readonly number[])[];
  readonly attemptsOnBad: number;
}

await using receiver = await openTimingReceiver();
await using badReceiver = await openBacklogReceiver();
const bad = Array.from({ length: accounts }, (_account, account) =>
  Array.from({ length: webhooksOfAccount }, (_webhook, webhook) => {
    const origin = webhook % 2 === 0 ? badReceiver.failingOrigin : badReceiver.slowOrigin;
    return `${origin}/${account}/${webhook}`;
  }),
);

/** A directory of a server with these endpoints, and what waits for them. */
async function openDirectory(name: string, endpoints: typeof bad) {
  const directory = await mkdtemp(join(tmpdir(), `hookwright-${name}-`));
  const healthyUrl = `${receiver.healthyOrigin}/`;
  await fillBacklog({ directory, env, token, healthyUrl, bad: endpoints, eventsOfAccount });
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

async function measure(directory: string): Promise<Measured> {
  await using server = await startMeasuredServer({ directory, env, token, receiver, publishEveryMs });
  await badReceiver.deliveries();
  const latenciesAtFirst = await server.publishFor(warmUpMs);
  const latencies: number[][] = [];
  const memories = [await server.anonymousMebibytes()];
  while (latencies.length < measuredSeconds) {
    latencies.push(await server.publishFor(1_000));
    memories.push(await server.anonymousMebibytes());
  }
  const attemptsOnBad = await badReceiver.deliveries();
  const { readyMs } = server;
  return { readyMs, mebibytes: Math.max(...memories), latenciesAtFirst, latencies, attemptsOnBad };
}

/** The longest start, the most memory, and all latencies of some runs. */
function together(runs: readonly Measured[]): Measured {
  return {
    readyMs: Math.max(...runs.map(({ readyMs }) => readyMs)),
    mebibytes: Math.max(...runs.map(({ mebibytes }) => mebibytes)),
    latenciesAtFirst: runs.flatMap(({ latenciesAtFirst }) => latenciesAtFirst),
    latencies: runs.flatMap(({ latencies }) => latencies),
    attemptsOnBad: runs.reduce((sum, { attemptsOnBad }) => sum + attemptsOnBad, 0),
  };
}

await using empty = await openDirectory("empty", []);
await using backlogged = await openDirectory("backlog", bad);
const runs: { readonly without: Measured; readonly within: Measured }[] = [];
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds} …\n`);
  const without = await measure(empty.directory);
  runs.push({ without, within: await measure(backlogged.directory) });
}

const without = together(runs.map((run) => run.without));
const within = together(runs.map((run) => run.within));
const p99 = quantileRatio(
  within.latencies.map((one, second) => ({ one, other: without.latencies[second] ?? [] })),
  0.99,
);
const p99AtFirst = (of: Measured): number => quantile(of.latenciesAtFirst, 0.99);
const atFirst = `first ${warmUpMs / 1_000} s: p99`;
const rowOf = (name: string, of: Measured) => {
  const latencies = of.latencies.flat();
  return {
    "": name,
    "ready ms": of.readyMs.toFixed(0),
    "RssAnon MiB": of.mebibytes.toFixed(0),
    deliveries: latencies.length.toLocaleString("en"),
    "p50 ms": quantile(latencies, 0.5).toFixed(2),
    "p99 ms": quantile(latencies, 0.99).toFixed(2),
    "90 % interval": "",
    [atFirst]: p99AtFirst(of).toFixed(2),
    "attempts on bad": of.attemptsOnBad.toLocaleString("en"),
  };
};
const total = accounts * webhooksOfAccount * eventsOfAccount;
printTable(
  `A server that finds ${total.toLocaleString("en")} deliveries waiting, ${publishEveryMs} ms between publishes of a healthy account`,
  [
    rowOf("empty directory", without),
    rowOf("with the backlog", within),
    {
      "": "difference",
      "RssAnon MiB": `+ ${(within.mebibytes - without.mebibytes).toFixed(0)}`,
      "p99 ms": `${p99.ratio.toFixed(2)} ×`,
      "90 % interval": `${p99.from.toFixed(2)}–${p99.to.toFixed(2)}`,
      [atFirst]: `${(p99AtFirst(within) / p99AtFirst(without)).toFixed(2)} ×`,
    },
    { "": "budget", "ready ms": "< 3000", "RssAnon MiB": "< + 150", "p99 ms": "≤ 1.10 ×" },
  ],
);
console.log();
