import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fillBacklog } from "./support/fill-backlog.ts";
import { startServer } from "../test/support/server-process.ts";
import { startMeasuredServer } from "./support/measured-server.ts";
import type { Load, MeasuredServer } from "./support/measured-server.ts";
import { monotonicMs } from "./support/monotonic-clock.ts";
import { openBacklogReceiver } from "./support/open-backlog-receiver.ts";
import { openDiskWatch } from "./support/open-disk-watch.ts";
import { openTimingReceiver } from "./support/open-timing-receiver.ts";
import { describeInterval } from "./support/quantile-ratio.ts";
import { compareSeconds, describeDisturbances, measureSecond } from "./support/seconds.ts";
import type { Second } from "./support/seconds.ts";
import { figure, printTable, quantile } from "./support/table.ts";
import { windowMs, windowsInTurn } from "./support/windows.ts";
import type { Side } from "./support/windows.ts";

/**
 * Compares a server with a million pending deliveries for failing or slow endpoints with a server on an empty
 * directory: time to readiness, memory, and the latency of a hundred deliveries a second to 500 healthy endpoints.
 *
 * `BENCH_EVENTS=0` has no backlog, so the difference is noise. `BENCH_AT_ONCE=4` delivers four orders at a time.
 * `BENCH_SPLIT=1` uses one process to publish and another to deliver.
 *
 * The servers alternate every 1.5 s and the other one is stopped, so that both see the same variations of the machine.
 */
const eventsOfAccount = Number(process.env["BENCH_EVENTS"] ?? 1_000);
const accounts = 20;
const webhooksOfAccount = 50;
const healthyEndpoints = 500;
const publishEveryMs = Number(process.env["BENCH_PUBLISH_EVERY"] ?? 10);
const isSplit = process.env["BENCH_SPLIT"] === "1";
const ordersAtOnce = Number(process.env["BENCH_AT_ONCE"] ?? 1);
/** V8 is still compiling during these windows, so their results are shown separately. */
const warmUpWindows = 6;
const measuredWindows = Number(process.env["BENCH_WINDOWS"] ?? 26);
/** A resumed server has cold caches, and all its timers are due at once. These first milliseconds are not measured. */
const settleMs = 300;
/** The end of each window, in which the last deliveries arrive and are recorded. */
const drainMs = 60;
/** Each round starts new servers. */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 1);

const token = "host-token-of-the-bench";
const env = {
  HOOKWRIGHT_HOST_TOKEN: token,
  HOOKWRIGHT_PRIVATE_TARGETS: "allow",
  HOOKWRIGHT_RATE_LIMIT: "1000000000",
  // Every retry is an hour away, so only the first attempts of the backlog are measured.
  HOOKWRIGHT_RETRY_DELAYS: "3600,3600,3600,3600,3600",
};

interface Measured {
  readonly readyMs: number;
  /** The maximum. */
  readonly mebibytes: number;
  readonly latenciesAtFirst: readonly number[];
  readonly seconds: readonly Second[];
  /** Only whole windows, without the first ones. */
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

/** Creates a directory with these endpoints and their backlog. */
async function openDirectory(name: string, endpoints: typeof bad) {
  const directory = await mkdtemp(join(tmpdir(), `hookwright-${name}-`));
  await fillBacklog({ directory, env, token, healthy, bad: endpoints, eventsOfAccount });
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

/** Starts a server on each directory and runs the two alternately. */
async function measure(): Promise<Readonly<Record<Side, Measured>>> {
  await using started = new AsyncDisposableStack();

  /** A ready server that is stopped. */
  async function start(directory: string): Promise<MeasuredServer> {
    const roleOf = (role: "api" | "worker") => ({ directory, env: { ...env, HOOKWRIGHT_ROLE: role } });
    const worker = isSplit ? started.use(await startServer(roleOf("worker"))) : undefined;
    const serverOptions = isSplit ? roleOf("api") : { directory, env };
    const server = await startMeasuredServer({ server: serverOptions, token, receiver, worker });
    started.use(server).pause();
    return server;
  }

  const open = async (directory: string) => ({
    server: await start(directory),
    mebibytes: 0,
    latenciesAtFirst: new Array<number>(),
    seconds: new Array<Second>(),
    attemptsOnBad: 0,
  });
  const sides = { empty: await open(empty.directory), backlog: await open(backlogged.directory) };
  for await (const { side, number, until } of windowsInTurn(warmUpWindows + measuredWindows)) {
    const of = sides[side];
    of.server.resume();
    const latencies = await of.server.publishFor(settleMs, load);
    const second = await measureSecond(of.server, load, { disk, lastsMs: until - drainMs - monotonicMs() });
    if (number < warmUpWindows) of.latenciesAtFirst.push(...latencies, ...second.latencies);
    else of.seconds.push(second);
    of.mebibytes = Math.max(of.mebibytes, await of.server.anonymousMebibytes());
    await pause(Math.max(0, until - monotonicMs()));
    of.server.pause();
    const attempts = await badReceiver.deliveries();
    if (number >= warmUpWindows) of.attemptsOnBad += attempts;
  }
  const measured = ({ server: { readyMs }, ...figures }: typeof sides.empty) => ({ readyMs, ...figures });
  return { empty: measured(sides.empty), backlog: measured(sides.backlog) };
}

/** The longest start, the maximum memory, and all latencies of several runs. */
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
await using disk = openDiskWatch(tmpdir());
const runs: Readonly<Record<Side, Measured>>[] = [];
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds} …\n`);
  runs.push(await measure());
}

const without = together(runs.map((run) => run.empty));
const within = together(runs.map((run) => run.backlog));
const { all, undisturbed } = compareSeconds(within.seconds, without.seconds);
const p99AtFirst = (of: Measured): number => quantile(of.latenciesAtFirst, 0.99);

const p99 = "p99 ms";
const p99Undisturbed = "p99 ms undisturbed";
const p99First = `first ${(warmUpWindows * windowMs) / 1_000} s: p99`;
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
      [p99]: "≤ 2.00 ×",
      [p99Undisturbed]: "≤ 2.00 ×",
    },
  ],
);
console.log();
