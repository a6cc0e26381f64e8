import { fillEndpoints, fillWaiting, toProjectId } from "./harness/fill.ts";
import { startMeasuredServer } from "./harness/measured-server.ts";
import type { Load } from "./harness/measured-server.ts";
import { readOptions, wholeNumber } from "./harness/options.ts";
import { memoryMegabytes } from "./harness/process-usage.ts";
import { openReceiver } from "./harness/receiver.ts";
import { openBenchStore, openStorage } from "./harness/storages.ts";
import type { Storage } from "./harness/storages.ts";
import { median, printTable, quantile, range, say, whole } from "./harness/table.ts";

/** V8 is still compiling during these seconds. */
const warmUpMs = 8_000;
const options = readOptions(
  `npm run bench -- backlog [options]

Compares a server with a million pending deliveries for failing or slow endpoints with a server on an empty
directory: time to readiness, memory, and the latency of a hundred deliveries a second to 500 healthy endpoints.`,
  {
    waiting: wholeNumber(1_000_000, "deliveries that wait"),
    seconds: wholeNumber(15, "measured seconds of each run"),
    rounds: wholeNumber(2, "runs of each server, which alternate"),
  },
);

const healthyEndpoints = 500;
const load: Load = {
  publishEveryMs: 10,
  projects: Array.from({ length: healthyEndpoints }, (_, endpoint) => toProjectId(endpoint)),
};
// Every retry is an hour away, so only the first attempts of the backlog are measured.
const env = { HOOKWRIGHT_RETRY_DELAYS: "3600,3600,3600,3600,3600" };

await using receiver = await openReceiver();
await using badReceiver = await openReceiver({ nice: true });

/** Creates the healthy endpoints, and perhaps a backlog of others. */
async function fill({ location }: Storage, waiting: number): Promise<void> {
  await using store = await openBenchStore(location);
  await fillEndpoints(store, {
    count: healthyEndpoints,
    ofAccount: 1,
    origin: receiver.origins.accepting,
  });
  const { failing, slow } = badReceiver.origins;
  const targetOf = (account: number, webhook: number): string =>
    `${webhook % 2 === 0 ? failing : slow}/${account}/${webhook}`;
  if (waiting > 0) await fillWaiting(store, waiting, targetOf);
}

async function measure(storage: string) {
  await using server = await startMeasuredServer({ env: { ...env, HOOKWRIGHT_STORAGE: storage } }, receiver);
  await server.publishFor(warmUpMs, load);
  await badReceiver.reset();
  const latencies = await server.publishFor(options.seconds * 1_000, load);
  return {
    readyMs: server.readyMs,
    megabytes: (await memoryMegabytes(server.pid)).anonymous,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    attemptsOnBad: (await badReceiver.counts()).received,
  };
}

await using empty = await openStorage("file");
await using full = await openStorage("file");
await fill(empty, 0);
await fill(full, options.waiting);
const without: Awaited<ReturnType<typeof measure>>[] = [];
const within: Awaited<ReturnType<typeof measure>>[] = [];
for (let round = 1; round <= options.rounds; round++) {
  say(`round ${round} of ${options.rounds} …`);
  without.push(await measure(empty.location));
  within.push(await measure(full.location));
}

const medianOf = (runs: typeof within, of: keyof (typeof within)[number]): number =>
  median(runs.map((run) => run[of]));
const rowOf = (name: string, runs: typeof within) => ({
  "": name,
  "ready ms": whole(medianOf(runs, "readyMs")),
  "memory MB": whole(medianOf(runs, "megabytes")),
  "p50 ms": medianOf(runs, "p50").toFixed(2),
  "p99 ms": medianOf(runs, "p99").toFixed(2),
  range: range(runs.map(({ p99 }) => p99)),
  "attempts on bad": whole(medianOf(runs, "attemptsOnBad")),
});
printTable(
  `A server that finds ${whole(options.waiting)} deliveries waiting, an order for others every 10 ms`,
  [
    rowOf("empty directory", without),
    rowOf("with the backlog", within),
    {
      "": "difference",
      "memory MB": `+ ${whole(medianOf(within, "megabytes") - medianOf(without, "megabytes"))}`,
      "p99 ms": `${(medianOf(within, "p99") / medianOf(without, "p99")).toFixed(2)} ×`,
    },
    { "": "budget", "ready ms": "< 3,000", "memory MB": "< + 150", "p99 ms": "≤ 2 ×, or + 20" },
  ],
);
console.log();
