import { setTimeout as pause } from "node:timers/promises";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { connectTo, startPostgresServer } from "../packages/storage/test/support/postgres-server.ts";
import { readOptions, someOf, wholeNumber } from "./harness/options.ts";
import { startProgram } from "./harness/program.ts";
import { openReceiptTimes } from "./harness/receipt-times.ts";
import { median, printTable, quantile, range, whole } from "./harness/table.ts";

const options = readOptions(
  `npm run bench -- outbox [options]

Measures the outbox in a PostgreSQL of its own, with fsync.
  receipt   the time from an insert on an idle system until the receiver has the whole request
  host      what its trigger costs a host that does nothing but insert`,
  {
    only: someOf(["receipt", "host"], "only these"),
    samples: wholeNumber(200, "inserts on the idle system"),
    windows: wholeNumber(7, "windows of the host with the trigger, and as many without"),
    seconds: wholeNumber(3, "seconds of a window"),
  },
);
const sessions = 32;
/** The relay sleeps meanwhile. */
const pauseMs = 100;

await using postgres = await startPostgresServer(["-c", "fsync=on"]);
await using store = await openPostgresStore({ url: postgres.url });
await using receipts = await openReceiptTimes(store);
await using client = await connectTo(postgres.url);
if (options.only.includes("receipt")) await measureReceipt();
if (options.only.includes("host")) await measureHost();
console.log();

async function measureReceipt(): Promise<void> {
  const latencies = await receipts.measure(options.samples, {
    pauseMs,
    async publish(event) {
      await client.query("begin");
      await receipts.hookwright.publishInTransaction(client, event);
      await client.query("commit");
    },
  });
  printTable("Insert into the outbox to receipt, one after the other on an idle system", [
    {
      rows: whole(latencies.length),
      "p50 ms": quantile(latencies, 0.5).toFixed(1),
      budget: "≤ 15",
      "p99 ms": quantile(latencies, 0.99).toFixed(1),
    },
  ]);
}

/** Both take turns on one outbox, whose relay publishes what it can. */
async function measureHost(): Promise<void> {
  await using host = startProgram(new URL("programs/outbox-host.ts", import.meta.url), {
    args: [postgres.url, String(sessions)],
  });
  await host.nextMessage();
  const perSecond = { with: new Array<number>(), without: new Array<number>() };
  for (let window = 0; window <= options.windows; window++) {
    const turns = ["without", "with"] as const;
    for (const trigger of window % 2 === 0 ? turns : turns.toReversed()) {
      await client.query("truncate hookwright.outbox");
      await client.query(
        `alter table hookwright.outbox ${trigger === "with" ? "enable" : "disable"} trigger outbox_notify`,
      );
      await client.query("checkpoint");
      const commits = Number(await host.request(options.seconds * 1_000));
      // The first window warms up.
      if (window > 0) perSecond[trigger].push(commits);
    }
  }
  await client.query("alter table hookwright.outbox enable trigger outbox_notify");
  await client.query("truncate hookwright.outbox");
  await pause(pauseMs);
  const ratios = perSecond.with.map((each, window) => each / (perSecond.without[window] ?? Number.NaN));
  printTable(`A host that inserts into the outbox, ${sessions} sessions`, [
    {
      "": "without the trigger",
      "per second": whole(median(perSecond.without)),
      ratio: "",
      range: "",
      budget: "",
    },
    {
      "": "with it",
      "per second": whole(median(perSecond.with)),
      ratio: median(ratios).toFixed(2),
      range: range(ratios),
      budget: "≥ 0.90",
    },
  ]);
}
