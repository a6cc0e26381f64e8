import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { createHookwright } from "hookwright";
import { connectTo } from "../test/support/postgres-server.ts";
import { openPostgres } from "./support/open-postgres.ts";
import { startProgram } from "./support/program.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { figure, median, printTable, quantile } from "./support/table.ts";

/**
 * Measures the outbox in PostgreSQL: the time from an insert on an idle system until the receiver has the whole request, how
 * many waiting rows are published in a second, and what its trigger costs a host that does nothing but insert. `--host`
 * measures only the last. It starts a PostgreSQL of its own.
 */
const samples = Number(process.env["BENCH_SAMPLES"] ?? 200);
const waitingRows = Number(process.env["BENCH_ROWS"] ?? 20_000);
const windows = Number(process.env["BENCH_WINDOWS"] ?? 7);
const windowMs = 1_000 * Number(process.env["BENCH_SECONDS"] ?? 3);
const sessions = 32;
/** The relay sleeps meanwhile. */
const pauseMs = 100;

let arrived = (): void => {};
const receiver = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    arrived();
    response.writeHead(204).end();
  });
});
receiver.keepAliveTimeout = 60_000;
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const address = receiver.address();
if (address === null || typeof address === "string") throw new Error("the receiver has no port");

await using postgres = await openPostgres();
const store = await openPostgresStore({ url: postgres.url });
const hookwright = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true });
await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
await hookwright.webhooks.create(
  { accountId: "acc_bench", credential: { type: "console" } },
  { event: "order.created", target_url: `http://127.0.0.1:${address.port}/` },
);
const client = await connectTo(postgres.url);

if (!process.argv.includes("--host")) await measureRelay();
await measureHost();
console.log();

await client.end();
await hookwright.close();
await store.close();
receiver.close();
receiver.closeAllConnections();

async function measureRelay(): Promise<void> {
  const latencies: number[] = [];
  for (let number = 0; number < samples; number++) {
    const start = performance.now();
    const arrival = new Promise<number>((resolve) => (arrived = () => resolve(performance.now() - start)));
    await client.query("begin");
    await hookwright.publishInTransaction(client, {
      event: "order.created",
      project_id: "site_bench",
      data: sampleOrder(number),
    });
    await client.query("commit");
    latencies.push(await arrival);
    await pause(pauseMs);
  }

  /** Events that have no webhook: what is measured is the relay. */
  const start = performance.now();
  await client.query(
    `insert into hookwright.outbox (event, project_id, data)
     select 'order.paid', 'site_bench', jsonb_set($1::jsonb, '{id}', to_jsonb('ord_' || n)) from generate_series(1, $2::int) n`,
    [JSON.stringify(sampleOrder(0)), waitingRows],
  );
  while ((await client.query("select 1 from hookwright.outbox limit 1")).rows.length > 0) await pause(10);
  const seconds = (performance.now() - start) / 1_000;

  printTable("The outbox in PostgreSQL", [
    {
      "": "insert to receipt, idle",
      rows: samples.toLocaleString("en"),
      "p50 ms": quantile(latencies, 0.5).toFixed(1),
      "p99 ms": quantile(latencies, 0.99).toFixed(1),
      "rows/s": "",
      budget: "p50 < 15",
    },
    {
      "": "waiting rows",
      rows: waitingRows.toLocaleString("en"),
      "p50 ms": "",
      "p99 ms": "",
      "rows/s": (waitingRows / seconds).toFixed(0),
      budget: "> 2,000",
    },
  ]);
}

/** Both take turns on one outbox, whose relay publishes what it can. */
async function measureHost(): Promise<void> {
  await using host = startProgram(new URL("support/outbox-host.ts", import.meta.url), {
    args: [postgres.url, String(sessions)],
  });
  await host.nextMessage();
  const ratios: number[] = [];
  const perSecond = { with: [] as number[], without: [] as number[] };
  for (let window = 0; window <= windows; window++) {
    for (const trigger of window % 2 === 0
      ? (["without", "with"] as const)
      : (["with", "without"] as const)) {
      await client.query("truncate hookwright.outbox");
      await client.query(
        `alter table hookwright.outbox ${trigger === "with" ? "enable" : "disable"} trigger outbox_notify`,
      );
      await client.query("checkpoint");
      perSecond[trigger].push(Number(await host.request(windowMs)));
    }
    ratios.push((perSecond.with.at(-1) ?? Number.NaN) / (perSecond.without.at(-1) ?? Number.NaN));
  }
  // The first window warms up.
  for (const figures of [ratios, perSecond.with, perSecond.without]) figures.shift();
  await client.query("alter table hookwright.outbox enable trigger outbox_notify");
  await client.query("truncate hookwright.outbox");
  printTable(`A host that inserts into the outbox, ${sessions} sessions`, [
    {
      "": "commits/s without the trigger",
      median: median(perSecond.without).toFixed(0),
      budget: "",
    },
    { "": "commits/s with it", median: median(perSecond.with).toFixed(0), budget: "" },
    { "": "ratio of a turn", median: figure(median(ratios)), budget: ">= 0.90" },
  ]);
}
