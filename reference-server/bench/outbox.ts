import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { createHookwright } from "hookwright";
import { connectTo, startPostgresServer } from "../test/support/postgres-server.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { printTable, quantile } from "./support/table.ts";

/**
 * Measures the outbox in PostgreSQL: the time from an insert on an idle system until the receiver has the whole request, and
 * how many waiting rows are published in a second. It starts a PostgreSQL of its own.
 */
const samples = Number(process.env["BENCH_SAMPLES"] ?? 500);
const waitingRows = Number(process.env["BENCH_ROWS"] ?? 20_000);
const pauseMs = 5;

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

await using postgres = await startPostgresServer();
const store = await openPostgresStore({ url: postgres.url });
const hookwright = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true });
await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
await hookwright.webhooks.create(
  { accountId: "acc_bench", credential: { type: "console" } },
  { event: "order.created", target_url: `http://127.0.0.1:${address.port}/` },
);
const client = await connectTo(postgres.url);

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

await client.end();
await hookwright.close();
await store.close();
receiver.close();
receiver.closeAllConnections();

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
console.log();
