import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listOldestLogged } from "@hookwright/delivery";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { applyHeapSettings } from "../src/heap-settings.ts";
import { fillLog } from "./support/fill-log.ts";
import { openReceiptTimes } from "./support/receipt-times.ts";
import { sweepNow } from "./support/sweep-now.ts";
import { printTable, quantile } from "./support/table.ts";

/**
 * Measures the time from the call of `publish` until the receiver has the whole request: on an idle system, and while
 * the log of the same account is swept.
 */
const samples = Number(process.env["BENCH_SAMPLES"] ?? 1_000);
const sweptDeliveries = Number(process.env["BENCH_SWEPT"] ?? 40_000);

interface Measured {
  readonly idle: readonly number[];
  readonly sweeping: readonly number[];
  readonly sweepMs: number;
}

async function measure(store: Store): Promise<Measured> {
  const begun = Date.now();
  await using receipts = await openReceiptTimes(store);
  const { measureWhile } = receipts;
  const idle = await measureWhile((measured) => measured < samples);
  await fillLog(store, { accountId: "acc_bench", count: sweptDeliveries });
  let sweepMs = Number.NaN;
  const start = performance.now();
  const swept = sweepNow(store, "acc_bench").then(() => (sweepMs = performance.now() - start));
  const sweeping = await measureWhile(() => Number.isNaN(sweepMs));
  await swept;
  const [oldest] = await listOldestLogged(store, "acc_bench", { limit: 1 });
  if (oldest === undefined || "error" in oldest || oldest.delivery.created_at < begun)
    throw new Error("the sweep has left old deliveries, or taken new ones");
  return { idle, sweeping, sweepMs };
}

applyHeapSettings("memory");
const memory = memoryStore();
const ofMemory = await measure(memory);
await memory.close();
applyHeapSettings("file");
const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
const filesystem = await openFilesystemStore({ directory });
const ofFilesystem = await measure(filesystem);
await filesystem.close();
await rm(directory, { recursive: true });

const rowOf = (name: string, latencies: readonly number[], budget: string) => ({
  "": name,
  orders: latencies.length.toLocaleString("en"),
  "p50 ms": quantile(latencies, 0.5).toFixed(2),
  "p99 ms": quantile(latencies, 0.99).toFixed(2),
  "slowest ms": Math.max(...latencies).toFixed(2),
  budget,
});
const rowsOf = (name: string, { idle, sweeping, sweepMs }: Measured) => [
  rowOf(`${name}, idle`, idle, "p50 < 5, p99 < 25"),
  rowOf(`${name}, swept for ${(sweepMs / 1_000).toFixed(1)} s`, sweeping, ""),
];
printTable(
  `Publish to receipt, orders one after the other; idle, and while ${sweptDeliveries.toLocaleString("en")} deliveries leave the log`,
  [...rowsOf("memory", ofMemory), ...rowsOf("filesystem", ofFilesystem)],
);
console.log();
