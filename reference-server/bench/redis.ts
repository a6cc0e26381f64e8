import { measureWorkers } from "./support/deliver-by-workers.ts";
import { openContender } from "./support/open-contender.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { openRedis } from "./support/open-redis.ts";
import { playRounds } from "./support/rounds.ts";
import { printTable } from "./support/table.ts";

/**
 * Deliveries on Redis from publish to the recorded 2xx: one process compared with the ceiling and with BullMQ and
 * undici on the same Redis, then one worker compared with two on a backlog. Rounds alternate. It deletes all data of
 * the given Redis.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const count = Number(process.env["BENCH_DELIVERIES"] ?? 10_000);
/** The warm-up of each contender: V8 compiles the last functions of a delivery after some ten thousand. */
const warmUp = 15_000;

await using opened = new AsyncDisposableStack();
const receiver = opened.use(await openReceiver());
const { url } = opened.use(await openRedis());

const ceiling = "ceiling (bare undici + HMAC)";
const ours = "Hookwright, one process";
const theirs = "BullMQ + undici";
const bulk = "BullMQ + undici, added in bulk";
const bare = "bare outbox";
const single = "Hookwright, one worker";
const double = "Hookwright, two workers";

const processes = {
  [ceiling]: opened.use(openContender("ceiling")).measure,
  [ours]: opened.use(openContender("redis", url)).measure,
  [theirs]: opened.use(openContender("bullMq", url)).measure,
  [bulk]: opened.use(openContender("bullMqInBulk", url)).measure,
  [bare]: opened.use(openContender("bareRedis", url)).measure,
};
const contest = {
  ...processes,
  // Started for each measurement, and warmed up before it.
  [single]: (deliveries: number) => measureWorkers(url, receiver, { count: deliveries, workers: 1 }),
  [double]: (deliveries: number) => measureWorkers(url, receiver, { count: deliveries, workers: 2 }),
};
process.stderr.write("warming up …\n");
for (const measure of Object.values(processes)) await measure(warmUp);
const { medianOf, sumOf, ratioOf } = await playRounds(contest, rounds, count);

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
printTable(
  `Publish to recorded 2xx on Redis, 1 KiB bodies, ${rounds} × ${whole(count)} deliveries (medians)`,
  Object.keys(contest).map((name) => ({
    "": name,
    "per second": whole(medianOf(name, "perSecond")),
    "of the ceiling": ratioOf(name, ceiling, "perSecond").toFixed(2),
    "CPU µs": whole(medianOf(name, "cpuMicroseconds")),
    lost: name === ceiling ? "" : whole(sumOf(name, "lost")),
    duplicates: name === ceiling ? "" : whole(sumOf(name, "duplicates")),
  })),
);
const share = (one: string, other: string): string => ratioOf(one, other, "perSecond").toFixed(2);
printTable("Budgets", [
  { "": "Hookwright / ceiling", measured: share(ours, ceiling), budget: "≥ 0.45" },
  { "": "Hookwright / BullMQ + undici", measured: share(ours, theirs), budget: "≥ 1.70" },
  { "": "Hookwright / BullMQ + undici, added in bulk", measured: share(ours, bulk), budget: "" },
  {
    "": "CPU a delivery, two workers / one",
    measured: ratioOf(double, single, "cpuMicroseconds").toFixed(2),
    budget: "≤ 1.10",
  },
  {
    "": "deliveries a second, two workers / one",
    measured: share(double, single),
    budget: "≥ 1.60 given cores",
  },
]);
console.log();
