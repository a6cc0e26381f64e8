import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { callsTo, createAccount } from "./support/host-client.ts";
import { openRedis } from "./support/open-redis.ts";
import { cpuSeconds, memoryMegabytes } from "./support/process-usage.ts";
import type { ProcessMemory } from "./support/process-usage.ts";
import { hostToken, startStandalone } from "./support/start-standalone.ts";
import { printTable } from "./support/table.ts";

/**
 * Measures the CPU time and memory of an idle built server on each storage. All servers run concurrently. Each has an
 * account, a site and a webhook, and has delivered nothing.
 */
const measuredMs = Number(process.env["BENCH_SECONDS"] ?? 15) * 1_000;
/** Until then the server scans its storage, and V8 compiles. */
const settlingMs = 20_000;

async function measure(storage: string): Promise<{ readonly share: number; readonly memory: ProcessMemory }> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  try {
    await using server = await startStandalone(storage, directory);
    await createAccount(callsTo(server.url, hostToken), "site_idle", ["https://example.com/hooks"]);
    await pause(settlingMs);
    const before = await cpuSeconds(server.pid);
    await pause(measuredMs);
    const share = ((await cpuSeconds(server.pid)) - before) / (measuredMs / 1_000);
    return { share, memory: await memoryMegabytes(server.pid) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await using redis = await openRedis();
const storages = { memory: "memory", filesystem: "file:data", Redis: redis.url };
process.stderr.write(`idle for ${(settlingMs + measuredMs) / 1_000} s …\n`);
const measured = await Promise.all(
  Object.entries(storages).map(async ([name, storage]) => ({ name, ...(await measure(storage)) })),
);
printTable(`An idle server, for ${measuredMs / 1_000} s`, [
  ...measured.map(({ name, share, memory }) => ({
    "": name,
    "of a core": `${(share * 100).toFixed(2)} %`,
    "resident MB": memory.resident.toFixed(0),
    "without mapped files": memory.anonymous.toFixed(0),
  })),
  { "": "budget", "of a core": "< 1 %", "resident MB": "< 120", "without mapped files": "" },
]);
console.log();
