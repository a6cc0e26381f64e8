import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { applyHeapSettings } from "../src/heap-settings.ts";
import { accounts, consolesOfAccount, openListenerLoad } from "./support/listener-load.ts";
import type { Round } from "./support/listener-load.ts";
import { figure, median, printTable } from "./support/table.ts";

/**
 * Measures how many deliveries to webhooks a second run with and without 200 open consoles: twenty of each account that publishes, as
 * many as a process allows. Rounds with and without alternate, so that both see the same variations of the machine.
 */
const orders = Number(process.env["BENCH_ORDERS"] ?? 20_000);
const pairs = Number(process.env["BENCH_ROUNDS"] ?? 5);

async function measure(name: string, store: Store): Promise<Record<string, string>> {
  await using load = await openListenerLoad(store);
  // V8 compiles.
  await load.play("consoles", orders);
  const played: { readonly without: Round; readonly with: Round }[] = [];
  for (let pair = 0; pair < pairs; pair++)
    played.push({ without: await load.play("none", orders), with: await load.play("consoles", orders) });
  const medianOf = (of: (pair: (typeof played)[number]) => number): number => median(played.map(of));
  const ratios = played.map((pair) => pair.with.deliveriesPerSecond / pair.without.deliveriesPerSecond);
  return {
    "": name,
    "without /s": medianOf((pair) => pair.without.deliveriesPerSecond).toFixed(0),
    "with /s": medianOf((pair) => pair.with.deliveriesPerSecond).toFixed(0),
    ratio: figure(median(ratios)),
    range: `${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))}`,
    "CPU µs a delivery": `${medianOf((pair) => pair.without.cpuPerDeliveryUs).toFixed(0)} → ${medianOf((pair) => pair.with.cpuPerDeliveryUs).toFixed(0)}`,
    "events to consoles": medianOf((pair) => pair.with.streamed).toFixed(0),
  };
}

async function measureOnFile(): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  try {
    await using store = await openFilesystemStore({ directory });
    return await measure("filesystem", store);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function measureInMemory(): Promise<Record<string, string>> {
  await using store = memoryStore();
  return await measure("memory", store);
}

applyHeapSettings("memory");
printTable(
  `Deliveries to webhooks of ${accounts} accounts with ${accounts * consolesOfAccount} open consoles, and without: ${pairs} pairs of rounds with ${orders.toLocaleString("en")} orders`,
  [await measureInMemory(), await measureOnFile()],
);
console.log(`
The ratio is with consoles to without: the median of all pairs, and its range. The CPU time is without and with them; it includes
the receiver.
`);
