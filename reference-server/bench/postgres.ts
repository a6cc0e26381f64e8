import { parseArgs } from "node:util";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { Client } from "pg";
import { applyHeapSettings } from "../src/heap-settings.ts";
import { openDelivery } from "./support/deliver.ts";
import { fillWaiting } from "./support/fill-waiting.ts";
import { openContender } from "./support/open-contender.ts";
import { openPostgres } from "./support/open-postgres.ts";
import { openReceiptTimes } from "./support/receipt-times.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { playRounds } from "./support/rounds.ts";
import { printTable, quantile } from "./support/table.ts";

const parts = ["rivals", "latency", "waiting", "size"] as const;
type Part = (typeof parts)[number];

const usage = `npm run bench -- postgres [options]

Measures deliveries on PostgreSQL. Each part prints its budgets. It uses the PostgreSQL of DATABASE_URL, in the schemas
hookwright, bench_*, graphile_worker and pgboss, which it drops, or starts its own one with fsync.

  --only A,B        only these parts (default all)
  --rounds N        rounds of rivals and waiting (default 3)
  --deliveries N    deliveries of a round (default 5000)
  --waiting N       rows that wait in the part waiting (default 20000; for the budget 1000000)
  --stored N        deliveries of the part size (default 20000; for the budget 1000000)
  --samples N       orders of the part latency (default 500)

Parts:
  rivals    publish to recorded 2xx, against the ceiling, graphile-worker and pg-boss with undici
  latency   publish to receipt on an idle system
  waiting   the time of a delivery while others wait, against an empty table
  size      the size of the table after many deliveries`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    only: { type: "string", default: parts.join(",") },
    rounds: { type: "string", default: "3" },
    deliveries: { type: "string", default: "5000" },
    waiting: { type: "string", default: "20000" },
    stored: { type: "string", default: "20000" },
    samples: { type: "string", default: "500" },
  },
});

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/** The warm-up of each contender: V8 compiles the last functions of a delivery after some ten thousand. */
const warmUp = 6_000;
const ours = "Hookwright";

if (values.help) console.log(usage);
else await main();

async function main(): Promise<void> {
  const chosen = values.only.split(",").map((name) => {
    const part = parts.find((each) => each === name);
    if (part === undefined)
      throw new Error(`--only must name parts of ${parts.join(", ")}; "${name}" is not one.`);
    return part;
  });
  await using postgres = await openPostgres();
  const measured: Readonly<Record<Part, (url: string) => Promise<void>>> = {
    rivals: compareRivals,
    latency: measureLatency,
    waiting: measureWaiting,
    size: measureSize,
  };
  for (const part of chosen) await measured[part](postgres.url);
  console.log();
}

function numberOf(option: "rounds" | "deliveries" | "waiting" | "stored" | "samples"): number {
  const text = values[option];
  if (/^[1-9]\d{0,7}$/u.test(text)) return Number(text);
  throw new Error(`--${option} must be a whole number from 1 to 99999999; "${text}" is not.`);
}

/** Deliveries a second from publish to the recorded 2xx. Rounds alternate. */
async function compareRivals(url: string): Promise<void> {
  const rounds = numberOf("rounds");
  const count = numberOf("deliveries");
  const ceiling = "ceiling (bare undici + HMAC)";
  const graphile = "graphile-worker + undici";
  const graphileInBulk = "graphile-worker + undici, added in bulk";
  const boss = "pg-boss + undici";
  const bossInBulk = "pg-boss + undici, added in bulk";
  await using opened = new AsyncDisposableStack();
  const contest = {
    [ceiling]: opened.use(openContender("ceiling")).measure,
    [ours]: opened.use(openContender("postgres", url)).measure,
    [graphile]: opened.use(openContender("graphileWorker", url)).measure,
    [graphileInBulk]: opened.use(openContender("graphileWorkerInBulk", url)).measure,
    [boss]: opened.use(openContender("pgBoss", url)).measure,
    [bossInBulk]: opened.use(openContender("pgBossInBulk", url)).measure,
  };
  process.stderr.write("warming up …\n");
  // Those that add jobs one by one wait for the disk, so their code need not be compiled.
  for (const name of [ceiling, ours, graphileInBulk, bossInBulk] as const) await contest[name](warmUp);
  const { medianOf, sumOf, ratioOf } = await playRounds(contest, rounds, count);
  printTable(
    `Publish to recorded 2xx on PostgreSQL, 1 KiB bodies, ${rounds} × ${whole(count)} deliveries (medians)`,
    Object.keys(contest).map((name) => ({
      "": name,
      "per second": whole(medianOf(name, "perSecond")),
      "of the ceiling": ratioOf(name, ceiling, "perSecond").toFixed(2),
      "CPU µs": whole(medianOf(name, "cpuMicroseconds")),
      lost: name === ceiling ? "" : whole(sumOf(name, "lost")),
      duplicates: name === ceiling ? "" : whole(sumOf(name, "duplicates")),
    })),
  );
  printTable(
    "Budgets",
    [
      { rival: graphile, budget: "≥ 0.80" },
      { rival: graphileInBulk, budget: "≥ 0.80" },
      { rival: boss, budget: "≥ 1.00" },
      { rival: bossInBulk, budget: "≥ 1.00" },
    ].map(({ rival, budget }) => ({
      "": `Hookwright / ${rival}`,
      measured: ratioOf(ours, rival, "perSecond").toFixed(2),
      budget,
    })),
  );
}

/** Milliseconds from the call of `publish` until the receiver has the request, one order after the other. */
async function measureLatency(url: string): Promise<void> {
  const samples = numberOf("samples");
  applyHeapSettings("postgres");
  await using store = await openEmptyStore(url, "bench_latency");
  await using receipts = await openReceiptTimes(store);
  await receipts.measureWhile((measured) => measured < samples);
  const latencies = await receipts.measureWhile((measured) => measured < samples);
  printTable("Publish to receipt on PostgreSQL, orders one after the other on an idle system", [
    {
      orders: whole(latencies.length),
      "p50 ms": quantile(latencies, 0.5).toFixed(2),
      "p99 ms": quantile(latencies, 0.99).toFixed(2),
      "slowest ms": Math.max(...latencies).toFixed(2),
      budget: "p50 < 15",
    },
  ]);
}

/** Two stores in one process take turns: one empty, the other with deliveries of suspended accounts. */
async function measureWaiting(url: string): Promise<void> {
  const rounds = numberOf("rounds");
  const count = numberOf("deliveries");
  const waiting = numberOf("waiting");
  applyHeapSettings("postgres");
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(await openReceiver());
  const emptyStore = opened.use(await openEmptyStore(url, "bench_empty"));
  const fullStore = opened.use(await openEmptyStore(url, "bench_waiting"));
  await fillWaiting(fullStore, waiting);
  await run(url, "vacuum analyze bench_waiting.rows");
  const empty = "no delivery waits";
  const full = `${whole(waiting)} deliveries wait`;
  const contest = {
    [empty]: opened.use(await openDelivery(emptyStore, receiver)).measure,
    [full]: opened.use(await openDelivery(fullStore, receiver)).measure,
  };
  for (const measure of Object.values(contest)) await measure(warmUp);
  const { medianOf, ratioOf } = await playRounds(contest, rounds, count);
  printTable(
    `Publish to recorded 2xx on PostgreSQL beside deliveries that wait, ${rounds} × ${whole(count)} (medians)`,
    Object.keys(contest).map((name) => ({
      "": name,
      "per second": whole(medianOf(name, "perSecond")),
      "CPU µs": whole(medianOf(name, "cpuMicroseconds")),
      "time of a delivery": `${ratioOf(empty, name, "perSecond").toFixed(2)} ×`,
      budget: name === full ? "≤ 1.30 ×" : "",
    })),
  );
}

/** The size of the table as it is after the deliveries, and after `vacuum full`, which leaves no waste. */
async function measureSize(url: string): Promise<void> {
  const count = numberOf("stored");
  applyHeapSettings("postgres");
  const schema = "bench_size";
  await using receiver = await openReceiver();
  await using store = await openEmptyStore(url, schema);
  {
    await using delivery = await openDelivery(store, receiver);
    await delivery.measure(count);
  }
  const size = `select pg_relation_size('${schema}.rows') as heap, pg_indexes_size('${schema}.rows') as indexes`;
  const tuples = `select n_live_tup as live, n_dead_tup as dead, autovacuum_count as vacuums
    from pg_stat_user_tables where schemaname = '${schema}' and relname = 'rows'`;
  const [before] = await run(url, size);
  const [counted] = await run(url, tuples);
  await run(url, `vacuum full ${schema}.rows`);
  const [after] = await run(url, size);
  const rowOf = (name: string, sizes: Record<string, unknown> = {}) => {
    const bytes = Number(sizes["heap"]) + Number(sizes["indexes"]);
    return {
      "": name,
      "heap MB": megabytes(Number(sizes["heap"])),
      "indexes MB": megabytes(Number(sizes["indexes"])),
      "bytes a delivery": whole(bytes / count),
    };
  };
  const total = (sizes: Record<string, unknown> = {}) => Number(sizes["heap"]) + Number(sizes["indexes"]);
  const [live, dead] = [Number(counted?.["live"]), Number(counted?.["dead"])];
  printTable(`The table of rows after ${whole(count)} deliveries`, [
    rowOf("after the deliveries", before),
    rowOf("after vacuum full", after),
  ]);
  printTable("Bloat", [
    {
      "live rows": whole(live),
      "dead rows": whole(dead),
      "dead / live": (dead / live).toFixed(3),
      autovacuums: whole(Number(counted?.["vacuums"])),
      "size / size after vacuum full": (total(before) / total(after)).toFixed(2),
    },
  ]);
}

async function openEmptyStore(url: string, schema: string) {
  await run(url, `drop schema if exists ${schema} cascade`);
  return await openPostgresStore({ url, schema });
}

async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
