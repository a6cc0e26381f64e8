import { setTimeout as pause } from "node:timers/promises";
import { createAccounts } from "./harness/host-client.ts";
import { startMeasuredServer } from "./harness/measured-server.ts";
import { readOptions, someOf, wholeNumber } from "./harness/options.ts";
import { cpuSeconds, memoryMegabytes } from "./harness/process-usage.ts";
import type { ProcessMemory } from "./harness/process-usage.ts";
import { openReceiver } from "./harness/receiver.ts";
import { openStorage } from "./harness/storages.ts";
import type { StorageName } from "./harness/storages.ts";
import { median, printTable, quantile, say } from "./harness/table.ts";

const options = readOptions(
  `npm run bench -- busy [options]

Measures the CPU time and memory of a built server that publishes and delivers 2,000 events a second, on each
storage, and its memory some seconds after the last delivery. Events of 100 sites go to one webhook each.`,
  {
    only: someOf(["memory", "file", "redis"], "only these storages"),
    seconds: wholeNumber(20, "measured seconds"),
  },
);
/** Until then V8 compiles, and its heap grows. */
const settlingSeconds = 10;
/** After the last delivery. Then the server has had time to collect its garbage. */
const restSeconds = 15;
const projects = Array.from({ length: 100 }, (_, index) => `site_${index}`);
/** A host sends a batch of events every tick. */
const load = { publishEveryMs: 50, ordersAtOnce: 100, projects };

async function measure(name: StorageName): Promise<Record<string, string>> {
  await using receiver = await openReceiver();
  await using storage = await openStorage(name);
  await using server = await startMeasuredServer({ env: { HOOKWRIGHT_STORAGE: storage.location } }, receiver);
  await createAccounts(
    server.call,
    projects.map((project) => ({ project, targets: [`${receiver.origins.accepting}/${project}`] })),
  );
  await server.publishFor(settlingSeconds * 1_000, load);
  const cpuBefore = await cpuSeconds(server.pid);
  const begun = performance.now();
  const publishing = server.publishFor(options.seconds * 1_000, load);
  const samples: ProcessMemory[] = [];
  for (let second = 1; second <= options.seconds; second++) {
    await pause(begun + second * 1_000 - performance.now());
    samples.push(await memoryMegabytes(server.pid));
  }
  const latencies = await publishing;
  const seconds = (performance.now() - begun) / 1_000;
  const share = ((await cpuSeconds(server.pid)) - cpuBefore) / seconds;
  await pause(restSeconds * 1_000);
  return {
    "": name,
    "deliveries/s": (latencies.length / seconds).toFixed(0),
    "p99 ms": quantile(latencies, 0.99).toFixed(0),
    "of a core": `${(share * 100).toFixed(0)} %`,
    "resident MB": median(samples.map(({ resident }) => resident)).toFixed(0),
    "without mapped files": median(samples.map(({ anonymous }) => anonymous)).toFixed(0),
    budget: name === "file" ? "≤ 150" : "",
    [`${restSeconds} s after it`]: (await memoryMegabytes(server.pid)).anonymous.toFixed(0),
  };
}

const rows: Record<string, string>[] = [];
for (const name of options.only) {
  say(`${name} for ${settlingSeconds + options.seconds} s …`);
  rows.push(await measure(name));
}
printTable(`A server with 2,000 deliveries a second, for ${options.seconds} s`, rows);
console.log();
