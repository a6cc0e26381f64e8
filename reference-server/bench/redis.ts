import { Redis } from "ioredis";
import { openRedisStore } from "@hookwright/storage/redis";
import { applyHeapSettings } from "../src/heap-settings.ts";
import { bareRedis, measureBareOutbox } from "./support/bare-outbox.ts";
import { measureCeiling } from "./support/ceiling.ts";
import { measureDelivery } from "./support/deliver.ts";
import type { DeliveryFigures } from "./support/deliver.ts";
import { measureQueue } from "./support/deliver-by-queue.ts";
import { measureWorkers } from "./support/deliver-by-workers.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { openRedis } from "./support/open-redis.ts";
import { median, printTable } from "./support/table.ts";

/**
 * Deliveries on Redis, from publish to the recorded 2xx: one process against the ceiling and against BullMQ with undici, on the
 * same Redis and to the same receiver; then workers in processes of their own, one against two. Rounds alternate. It empties
 * the Redis that it is given.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const count = Number(process.env["BENCH_DELIVERIES"] ?? 20_000);
/** So many of each: V8 compiles the last of what a delivery runs through after some ten thousand. */
const warmUp = Math.min(count, 20_000);

// As the server runs, and here the ceiling and BullMQ too.
applyHeapSettings("redis");
await using receiver = await openReceiver();
await using redis = await openRedis();

const contenders: Readonly<
  Record<
    string,
    (deliveries: number) => Promise<Omit<DeliveryFigures, "lost" | "duplicates"> & Partial<DeliveryFigures>>
  >
> = {
  "ceiling (bare undici + HMAC)": (deliveries) => measureCeiling(receiver.origin, deliveries),
  "Hookwright, one process": measureProcess,
  "BullMQ + undici": (deliveries) => measureQueue(redis.url, receiver, { count: deliveries, bulk: false }),
  "BullMQ + undici, added in bulk": (deliveries) =>
    measureQueue(redis.url, receiver, { count: deliveries, bulk: true }),
  "bare outbox": (deliveries) => measureBareOutbox(bareRedis(redis.url), receiver, deliveries),
  "Hookwright, one worker": (deliveries) =>
    measureWorkers(redis.url, receiver, { count: deliveries, workers: 1 }),
  "Hookwright, two workers": (deliveries) =>
    measureWorkers(redis.url, receiver, { count: deliveries, workers: 2 }),
};

async function measureProcess(deliveries: number): Promise<DeliveryFigures> {
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
  await using store = await openRedisStore({ url: redis.url, onWarning: () => {} });
  return await measureDelivery(store, receiver, { count: deliveries });
}

type Figures = Awaited<ReturnType<(typeof contenders)[string]>>;
const measured: Map<string, Figures>[] = [];
for (let round = 0; round <= rounds; round++) {
  process.stderr.write(round === 0 ? "warming up …\n" : `round ${round} of ${rounds} …\n`);
  const figures = new Map<string, Figures>();
  for (const [name, measure] of Object.entries(contenders))
    figures.set(name, await measure(round === 0 ? warmUp : count));
  if (round > 0) measured.push(figures);
}

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
const medianOf = (name: string, figure: (figures: Figures) => number): number =>
  median(measured.map((round) => figure(round.get(name) ?? { perSecond: 0, cpuMicroseconds: 0 })));
const ratioOf = (one: string, other: string, figure: (figures: Figures) => number): string =>
  median(
    measured.map((round) => {
      const [above, below] = [round.get(one), round.get(other)];
      return above === undefined || below === undefined ? Number.NaN : figure(above) / figure(below);
    }),
  ).toFixed(2);
const perSecond = (figures: Figures): number => figures.perSecond;
const cpu = (figures: Figures): number => figures.cpuMicroseconds;
const [ceiling = "", ours = "", theirs = "", bulk = "", bare = "", single = "", double = ""] =
  Object.keys(contenders);

printTable(
  `Publish to recorded 2xx on Redis, 1 KiB bodies, ${rounds} × ${whole(count)} deliveries (medians)`,
  [ceiling, ours, theirs, bulk, bare, single, double].map((name) => ({
    "": name,
    "per second": whole(medianOf(name, perSecond)),
    "of the ceiling": ratioOf(name, ceiling, perSecond),
    "CPU µs": whole(medianOf(name, cpu)),
    lost: whole(medianOf(name, ({ lost = 0 }) => lost)),
    duplicates: whole(medianOf(name, ({ duplicates = 0 }) => duplicates)),
  })),
);
printTable("Budgets", [
  { "": "Hookwright / ceiling", measured: ratioOf(ours, ceiling, perSecond), budget: "≥ 0.40" },
  { "": "Hookwright / BullMQ + undici", measured: ratioOf(ours, theirs, perSecond), budget: "≥ 1.30" },
  { "": "Hookwright / BullMQ + undici, added in bulk", measured: ratioOf(ours, bulk, perSecond), budget: "" },
  { "": "CPU a delivery, two workers / one", measured: ratioOf(double, single, cpu), budget: "≤ 1.10" },
  {
    "": "deliveries a second, two workers / one",
    measured: ratioOf(double, single, perSecond),
    budget: "≥ 1.60 given cores",
  },
]);
console.log();
