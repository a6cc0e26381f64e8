import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillBacklog } from "./support/fill-backlog.ts";
import { startServer } from "../test/support/server-process.ts";
import { startMeasuredServer } from "./support/measured-server.ts";
import type { Load } from "./support/measured-server.ts";
import { openBacklogReceiver } from "./support/open-backlog-receiver.ts";
import { openDiskWatch } from "./support/open-disk-watch.ts";
import { openTimingReceiver } from "./support/open-timing-receiver.ts";
import { describeInterval } from "./support/quantile-ratio.ts";
import { compareSeconds, describeDisturbances, measureSecond } from "./support/seconds.ts";
import type { Second } from "./support/seconds.ts";
import { figure, printTable, quantile } from "./support/table.ts";

/**
 * A real server that finds a million deliveries waiting for endpoints that fail or hang: how soon it is ready, how much memory
 * it takes, and how long a hundred deliveries a second to 500 others take, at first and then, each beside the same server on an empty
 * directory. With `BENCH_EVENTS=0` nothing waits for the bad endpoints: what the two differ by then is hardly more than the machine's own
 * noise. With `BENCH_AT_ONCE=4` four hundred are delivered in a second, four at once. With `BENCH_SPLIT=1` one process is published to, whose
 * start and memory are shown, and another delivers.
 */
const eventsOfAccount = Number(process.env["BENCH_EVENTS"] ?? 1_000);
const accounts = 20;
const webhooksOfAccount = 50;
const healthyEndpoints = 500;
const publishEveryMs = Number(process.env["BENCH_PUBLISH_EVERY"] ?? 10);
const isSplit = process.env["BENCH_SPLIT"] === "1";
const ordersAtOnce = Number(process.env["BENCH_AT_ONCE"] ?? 1);
/** So long V8 compiles what a server does beside a backlog, and the first attempts at those that hang are given up. What is measured meanwhile is told apart. */
const warmUpMs = 12_000;
const measuredSeconds = Number(process.env["BENCH_SECONDS"] ?? 20);
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
  readonly seconds: readonly Second[];
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
const healthy = Array.from({ length: healthyEndpoints }, (_, index) => ({
  project: `healthy_${index}`,
  url: `${receiver.healthyOrigin}/${index}`,
}));
const load: Load = { publishEveryMs, ordersAtOnce, projects: healthy.map(({ project }) => project) };

/** A directory of a server with these endpoints, and what waits for them. */
async function openDirectory(name: string, endpoints: typeof bad) {
  const directory = await mkdtemp(join(tmpdir(), `hookwright-${name}-`));
  await fillBacklog({ directory, env, token, healthy, bad: endpoints, eventsOfAccount });
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

async function measure(directory: string): Promise<Measured> {
  const roleOf = (role: "api" | "worker") => ({ directory, env: { ...env, HOOKWRIGHT_ROLE: role } });
  await using _worker = isSplit ? await startServer(roleOf("worker")) : undefined;
  const serverOptions = isSplit ? roleOf("api") : { directory, env };
  await using server = await startMeasuredServer({ server: serverOptions, token, receiver });
  await using disk = openDiskWatch(directory);
  await badReceiver.deliveries();
  const latenciesAtFirst = await server.publishFor(warmUpMs, load);
  const seconds: Second[] = [];
  const memories = [await server.anonymousMebibytes()];
  while (seconds.length < measuredSeconds) {
    seconds.push(await measureSecond(server, load, disk));
    memories.push(await server.anonymousMebibytes());
  }
  const attemptsOnBad = await badReceiver.deliveries();
  const { readyMs } = server;
  return { readyMs, mebibytes: Math.max(...memories), latenciesAtFirst, seconds, attemptsOnBad };
}

/** The longest start, the most memory, and all latencies of some runs. */
function together(runs: readonly Measured[]): Measured {
  return {
    readyMs: Math.max(...runs.map(({ readyMs }) => readyMs)),
    mebibytes: Math.max(...runs.map(({ mebibytes }) => mebibytes)),
    latenciesAtFirst: runs.flatMap(({ latenciesAtFirst }) => latenciesAtFirst),
    seconds: runs.flatMap(({ seconds }) => seconds),
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
const { all, undisturbed } = compareSeconds(within.seconds, without.seconds);
const p99AtFirst = (of: Measured): number => quantile(of.latenciesAtFirst, 0.99);

const p99 = "p99 ms";
const p99Undisturbed = "p99 ms undisturbed";
const p99First = `first ${warmUpMs / 1_000} s: p99`;
const rowOf = (name: string, of: Measured, side: "one" | "other") => {
  const latencies = of.seconds.flatMap((second) => second.latencies);
  return {
    "": name,
    "ready ms": of.readyMs.toFixed(0),
    "RssAnon MiB": of.mebibytes.toFixed(0),
    deliveries: latencies.length.toLocaleString("en"),
    "p50 ms": quantile(latencies, 0.5).toFixed(2),
    [p99]: all[side].toFixed(2),
    disturbed: describeDisturbances(of.seconds),
    [p99Undisturbed]: figure(undisturbed[side]),
    [p99First]: p99AtFirst(of).toFixed(2),
    "attempts on bad": of.attemptsOnBad.toLocaleString("en"),
  };
};
const times = (ratio: number): string => `${figure(ratio)} ×`;
const total = accounts * webhooksOfAccount * eventsOfAccount;
printTable(
  `A server that finds ${total.toLocaleString("en")} deliveries waiting, ${ordersAtOnce} orders for others every ${publishEveryMs} ms`,
  [
    rowOf("empty directory", without, "other"),
    rowOf("with the backlog", within, "one"),
    {
      "": "difference",
      "RssAnon MiB": `+ ${(within.mebibytes - without.mebibytes).toFixed(0)}`,
      [p99]: times(all.ratio),
      [p99Undisturbed]: times(undisturbed.ratio),
      [p99First]: times(p99AtFirst(within) / p99AtFirst(without)),
    },
    {
      "": "90 % interval",
      [p99]: describeInterval(all),
      [p99Undisturbed]: describeInterval(undisturbed),
    },
    {
      "": "budget",
      "ready ms": "< 3000",
      "RssAnon MiB": "< + 150",
      [p99]: "≤ 1.10 ×",
      [p99Undisturbed]: "≤ 1.10 ×",
    },
  ],
);
console.log();
