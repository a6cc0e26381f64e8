import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { createHookwright } from "hookwright";
import { sampleOrder } from "./support/sample-order.ts";
import { printTable, quantile } from "./support/table.ts";

/** From the call of `publish` to the moment the receiver has the whole request, on a system that has nothing else to do. */
const samples = Number(process.env["BENCH_SAMPLES"] ?? 1_000);
const pauseMs = 5;

async function measureLatencies(store: Store): Promise<number[]> {
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
  await using hookwright = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true });
  await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
  await hookwright.webhooks.create(
    { accountId: "acc_bench", credential: { type: "console" } },
    { event: "order.created", target_url: `http://127.0.0.1:${address.port}/` },
  );
  const latencies: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const start = performance.now();
    const arrival = new Promise<number>((resolve) => (arrived = () => resolve(performance.now() - start)));
    await hookwright.publish({
      event: "order.created",
      project_id: "site_bench",
      data: sampleOrder(sample),
    });
    latencies.push(await arrival);
    await pause(pauseMs);
  }
  receiver.close();
  receiver.closeAllConnections();
  return latencies;
}

const memory = memoryStore();
const ofMemory = await measureLatencies(memory);
await memory.close();
const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
const filesystem = await openFilesystemStore({ directory });
const ofFilesystem = await measureLatencies(filesystem);
await filesystem.close();
await rm(directory, { recursive: true });

const rowOf = (name: string, latencies: readonly number[]) => ({
  "": name,
  "p50 ms": quantile(latencies, 0.5).toFixed(2),
  "p99 ms": quantile(latencies, 0.99).toFixed(2),
  "slowest ms": Math.max(...latencies).toFixed(2),
  budget: "p50 < 5, p99 < 25",
});
printTable(`Publish to receipt, idle, ${samples.toLocaleString("en")} orders one after the other`, [
  rowOf("memory", ofMemory),
  rowOf("filesystem", ofFilesystem),
]);
console.log();
