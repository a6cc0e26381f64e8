import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { callsTo, createAccounts } from "./support/host-client.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { openRedis } from "./support/open-redis.ts";
import { cpuSeconds, memoryMegabytes } from "./support/process-usage.ts";
import { createPublisher } from "./support/publisher.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { hostToken, startStandalone } from "./support/start-standalone.ts";
import { median, printTable } from "./support/table.ts";

/**
 * Measures the CPU time and memory of a built server that publishes and delivers 2,000 events a second, on each
 * storage, and its memory some seconds after the last delivery. Events of 100 sites go to one webhook each.
 */
const perSecond = 2_000;
const measuredSeconds = Number(process.env["BENCH_SECONDS"] ?? 20);
/** Until then V8 compiles, and its heap grows. */
const settlingSeconds = 10;
/** After the last delivery. Then the server has had time to collect its garbage. */
const restSeconds = 15;
const sites = 100;
/** A host sends a batch of events every tick. */
const tickMs = 50;

interface Usage {
  readonly deliveries: number;
  readonly share: number;
  readonly resident: number;
  readonly anonymous: number;
  /** Some seconds after the last delivery, without mapped files. */
  readonly after: number;
}

async function measure(storage: string): Promise<Usage> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  try {
    await using receiver = await openReceiver();
    await using server = await startStandalone(storage, directory);
    const projects = Array.from({ length: sites }, (_, index) => `site_${index}`);
    await createAccounts(
      callsTo(server.url, hostToken),
      projects.map((project) => ({ project, targets: [`${receiver.origin}/${project}`] })),
    );
    using publisher = createPublisher(server.url, hostToken);
    const publishing = publishFor(settlingSeconds + measuredSeconds, projects, publisher.publish);
    await pause(settlingSeconds * 1_000);
    const cpuBefore = await cpuSeconds(server.pid);
    const { received: receivedBefore } = await receiver.counts();
    const begun = performance.now();
    const samples = [];
    for (let second = 1; second <= measuredSeconds; second++) {
      await pause(begun + second * 1_000 - performance.now());
      samples.push(await memoryMegabytes(server.pid));
    }
    const seconds = (performance.now() - begun) / 1_000;
    const share = ((await cpuSeconds(server.pid)) - cpuBefore) / seconds;
    const { received } = await receiver.counts();
    await publishing;
    await pause(restSeconds * 1_000);
    const { anonymous: after } = await memoryMegabytes(server.pid);
    return {
      after,
      deliveries: (received - receivedBefore) / seconds,
      share,
      resident: median(samples.map((sample) => sample.resident)),
      anonymous: median(samples.map((sample) => sample.anonymous)),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Publishes at a constant rate, and does not wait for the response before the next batch. */
async function publishFor(
  seconds: number,
  projects: readonly string[],
  publish: (events: readonly unknown[]) => Promise<readonly string[]>,
): Promise<void> {
  const batch = (perSecond * tickMs) / 1_000;
  const begun = performance.now();
  const published = [];
  for (let number = 0; number < seconds * perSecond; number += batch) {
    const events = Array.from({ length: batch }, (_, index) => ({
      event: "order.created",
      project_id: projects[(number + index) % projects.length],
      data: sampleOrder(number + index),
    }));
    published.push(publish(events));
    await pause(Math.max(0, begun + ((number + batch) / perSecond) * 1_000 - performance.now()));
  }
  await Promise.all(published);
}

await using redis = await openRedis();
const all = { memory: "memory", filesystem: "file:data", Redis: redis.url };
const only = process.env["BENCH_STORAGE"];
const storages = Object.entries(all).filter(([name]) => only === undefined || name === only);
const rows = [];
for (const [name, storage] of storages) {
  process.stderr.write(`${name} for ${settlingSeconds + measuredSeconds} s …\n`);
  const { deliveries, share, resident, anonymous, after } = await measure(storage);
  rows.push({
    "": name,
    "deliveries/s": deliveries.toFixed(0),
    "of a core": `${(share * 100).toFixed(0)} %`,
    "resident MB": resident.toFixed(0),
    "without mapped files": anonymous.toFixed(0),
    [`${restSeconds} s after it`]: after.toFixed(0),
  });
}
printTable(`A server with ${perSecond.toLocaleString("en")} deliveries a second, for ${measuredSeconds} s`, [
  ...rows,
  {
    "": "goal",
    "deliveries/s": "",
    "of a core": "",
    "resident MB": "130",
    "without mapped files": "",
    [`${restSeconds} s after it`]: "",
  },
]);
console.log();
