import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { createHookwright } from "hookwright";
import { applyHeapSettings } from "../src/heap-settings.ts";
import { measureBareStreams } from "./support/bare-streams.ts";
import {
  accounts,
  addAccount,
  close,
  createListener,
  listen,
  listenersOfAccount,
  openListenerLoad,
} from "./support/listener-load.ts";
import type { Round } from "./support/listener-load.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { figure, median, printTable, quantile } from "./support/table.ts";

/**
 * Measures the time from the call of `publish` until the reader of a listener has the event, and how many deliveries to webhooks a
 * second run with and without a hundred listeners: ten of each account that publishes, or of ten accounts that publish nothing. An
 * account has at most ten.
 */
const samples = Number(process.env["BENCH_SAMPLES"] ?? 300);
const orders = Number(process.env["BENCH_ORDERS"] ?? 8_000);
const pairs = Number(process.env["BENCH_ROUNDS"] ?? 5);

/** One listener, one publish after the other. */
async function measureLatency(store: Store): Promise<number[]> {
  await using hookwright = await createHookwright({ store, secret: "s".repeat(32) });
  const server = createServer(hookwright.handler);
  const origin = await listen(server);
  const token = await addAccount(hookwright, "one");
  const listenerId = await createListener(origin, token);
  const asked = request(`${origin}/developer/v1/listeners/${listenerId}/events`, {
    headers: { authorization: `Bearer ${token}` },
  }).end();
  const response = await new Promise<IncomingMessage>((resolve) => asked.once("response", resolve));
  let arrived = (): void => {};
  response.setEncoding("latin1").on("data", (text: string) => {
    if (text.includes("event: delivery")) arrived();
  });
  const latencies: number[] = [];
  while (latencies.length < samples) {
    const start = performance.now();
    const arrival = new Promise<number>((resolve) => (arrived = () => resolve(performance.now() - start)));
    const data = sampleOrder(latencies.length);
    await hookwright.publish({ event: "order.created", project_id: "site_one", data });
    latencies.push(await arrival);
    // Longer than reads of a feed are apart, so that none waits.
    await pause(30);
  }
  asked.destroy();
  close(server);
  return latencies;
}

/** Rounds with and without listeners alternate, so that both see the same variations of the machine. */
async function measureThroughput(name: string, store: Store): Promise<Record<string, string>[]> {
  await using load = await openListenerLoad(store);
  // V8 compiles.
  await load.play("own", orders);
  const rows: Record<string, string>[] = [];
  for (const readers of ["own", "others"] as const) {
    const played: { readonly without: Round; readonly with: Round }[] = [];
    for (let pair = 0; pair < pairs; pair++)
      played.push({ without: await load.play("none", orders), with: await load.play(readers, orders) });
    const ratios = played.map((pair) => pair.with.deliveriesPerSecond / pair.without.deliveriesPerSecond);
    const medianOf = (of: (pair: (typeof played)[number]) => number): number => median(played.map(of));
    const perEventUs = medianOf(
      (pair) => ((pair.with.cpuPerDeliveryUs - pair.without.cpuPerDeliveryUs) * orders) / pair.with.streamed,
    );
    const streams = readers === "own";
    rows.push({
      "": name,
      "listeners of": streams ? "the same accounts" : "ten others",
      "without /s": medianOf((pair) => pair.without.deliveriesPerSecond).toFixed(0),
      "with /s": medianOf((pair) => pair.with.deliveriesPerSecond).toFixed(0),
      ratio: figure(median(ratios)),
      range: `${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))}`,
      "streamed a delivery": medianOf((pair) => pair.with.streamed / orders).toFixed(1),
      "µs a streamed event": streams ? perEventUs.toFixed(0) : "–",
    });
  }
  return rows;
}

const storages: readonly [
  name: string,
  use: <Result>(run: (store: Store) => Promise<Result>) => Promise<Result>,
][] = [
  [
    "memory",
    async (run) => {
      await using store = memoryStore();
      return await run(store);
    },
  ],
  [
    "filesystem",
    async (run) => {
      const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
      try {
        await using store = await openFilesystemStore({ directory });
        return await run(store);
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  ],
];

applyHeapSettings("memory");
const bareUs = await measureBareStreams(accounts * listenersOfAccount, 500);
const latencyRows: Record<string, string>[] = [];
const throughputRows: Record<string, string>[] = [];
for (const [name, use] of storages) {
  const latencies = await use(measureLatency);
  latencyRows.push({
    "": name,
    events: String(latencies.length),
    "p50 ms": quantile(latencies, 0.5).toFixed(2),
    "p99 ms": quantile(latencies, 0.99).toFixed(2),
    target: "p50 < 50",
  });
  throughputRows.push(...(await use((store) => measureThroughput(name, store))));
}
printTable("Publish to the reader of a listener, one after the other", latencyRows);
printTable(
  `Deliveries to webhooks of ${accounts} accounts with ${accounts * listenersOfAccount} listeners, and without: ${pairs} pairs of rounds with ${orders.toLocaleString("en")} orders`,
  throughputRows,
);
console.log(`
The ratio is with listeners to without: the median of all pairs, and its range.
A streamed event costs CPU time for its own signature, JSON and write to a socket. Without Hookwright, with one write for each
event, that is ${bareUs.toFixed(0)} µs. Under load Hookwright writes several events at once.
`);
