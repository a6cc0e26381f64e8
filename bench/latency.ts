import { applyHeapSettings } from "../reference-server/src/heap-settings.ts";
import { readOptions, someOf, wholeNumber } from "./harness/options.ts";
import { openReceiptTimes } from "./harness/receipt-times.ts";
import { openBenchStore, openStorage } from "./harness/storages.ts";
import type { StorageName } from "./harness/storages.ts";
import { printTable, quantile, whole } from "./harness/table.ts";

const options = readOptions(
  `npm run bench -- latency [options]

Measures the time from the call of \`publish\` until the receiver has the whole request, on an idle system.`,
  {
    only: someOf(["memory", "file", "postgres"], "only these storages"),
    samples: wholeNumber(1_000, "orders, one after the other"),
  },
);
const budgets: Readonly<Record<StorageName, string>> = {
  memory: "≤ 1.3",
  file: "≤ 2.2",
  postgres: "≤ 4.5",
  redis: "",
};

async function measure(name: StorageName): Promise<Record<string, string>> {
  applyHeapSettings(name);
  await using storage = await openStorage(name);
  await using store = await openBenchStore(storage.location);
  await using receipts = await openReceiptTimes(store);
  // V8 compiles.
  await receipts.measure(options.samples);
  const latencies = await receipts.measure(options.samples);
  return {
    "": name,
    orders: whole(latencies.length),
    "p50 ms": quantile(latencies, 0.5).toFixed(2),
    budget: budgets[name],
    "p99 ms": quantile(latencies, 0.99).toFixed(2),
    "budget of p99": "< 25",
    "slowest ms": Math.max(...latencies).toFixed(2),
  };
}

const rows: Record<string, string>[] = [];
for (const name of options.only) rows.push(await measure(name));
printTable("Publish to receipt, orders one after the other on an idle system", rows);
console.log();
