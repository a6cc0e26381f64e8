import { setTimeout as pause } from "node:timers/promises";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { applyHeapSettings } from "../src/heap-settings.ts";
import { openTimingReceiver } from "./support/open-timing-receiver.ts";
import type { TimingReceiver } from "./support/open-timing-receiver.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { printTable, quantile } from "./support/table.ts";

/**
 * How long the deliveries of healthy endpoints take while others hang: a thousand endpoints, each of an account of its
 * own, a thousand events a second in turn over all of them. Short runs with none, with one and with 500 that answer nothing
 * for ten seconds take turns; only the 500 endpoints that are healthy in all of them are compared. All that was measured of a
 * kind goes into one percentile: in a single run it depends on whether the collector has come once or twice.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const endpoints = 1_000;
const compared = 500;
const tickMs = 10;
const eventsInTick = 10;
const warmUpMs = 2_000;
const measuredMs = Number(process.env["BENCH_SECONDS"] ?? 3) * 1_000;

const runs = [
  { hanging: 0, budget: undefined },
  { hanging: 1, budget: 1.1 },
  { hanging: 500, budget: 1.5 },
] as const;

async function createEndpoints(
  hookwright: Hookwright,
  receiver: TimingReceiver,
  hanging: number,
): Promise<void> {
  for (let index = 0; index < endpoints; index++) {
    const accountId = `acc_${index}`;
    const origin = index < hanging ? receiver.hangingOrigin : receiver.healthyOrigin;
    await hookwright.accounts.put(accountId, { email: `owner-${index}@example.com` });
    await hookwright.projects.put(`site_${index}`, { account_id: accountId, name: `Site ${index}` });
    await hookwright.webhooks.create(
      { accountId, credential: { type: "console" } },
      { event: "order.created", target_url: `${origin}/${index}` },
    );
  }
}

/** Milliseconds from publish to receipt, of the endpoints that are healthy in every run. */
async function measureLatencies(receiver: TimingReceiver, hanging: number): Promise<number[]> {
  const store = memoryStore();
  const logger = { info: () => {}, warn: () => {}, error: console.error };
  const hookwright = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true, logger });
  await createEndpoints(hookwright, receiver, hanging);
  await receiver.arrivals();
  const publishedAt = new Map<string, number>();
  const start = performance.now();
  for (let event = 0; performance.now() - start < warmUpMs + measuredMs;) {
    const isMeasured = performance.now() - start > warmUpMs;
    for (let one = 0; one < eventsInTick; one++, event++) {
      const index = event % endpoints;
      const at = Number(process.hrtime.bigint()) / 1e6;
      const data = { ...sampleOrder(event), id: `ord_${event}` };
      void hookwright
        .publish({ event: "order.created", project_id: `site_${index}`, data })
        .then(({ deliveries }) => {
          if (isMeasured && index >= endpoints - compared) {
            for (const id of deliveries) publishedAt.set(id, at);
          }
        });
    }
    await pause(tickMs);
  }
  await pause(500);
  // Begun first, so that nothing takes the place of the attempts that are hung up on.
  const closed = hookwright.close();
  const arrivals = await receiver.arrivals();
  await closed;
  await store.close();
  return [...publishedAt].map(([id, at]) => {
    const arrival = arrivals.get(id);
    if (arrival === undefined) throw new Error(`delivery ${id} of a healthy endpoint has not come`);
    return arrival - at;
  });
}

applyHeapSettings("memory");
await using receiver = await openTimingReceiver();
process.stderr.write("warming up …\n");
await measureLatencies(receiver, 0);
const measured = runs.map((): number[] => []);
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds} …\n`);
  for (const [index, { hanging }] of runs.entries())
    measured[index]?.push(...(await measureLatencies(receiver, hanging)));
}

const undisturbed = quantile(measured[0] ?? [], 0.99);
printTable(
  `Publish to receipt of healthy endpoints, ${rounds} × ${measuredMs / 1_000} s`,
  runs.map(({ hanging, budget }, index) => {
    const latencies = measured[index] ?? [];
    const p99 = quantile(latencies, 0.99);
    return {
      "": hanging === 0 ? `${endpoints.toLocaleString("en")} endpoints` : `${hanging} of them hang`,
      "p50 ms": quantile(latencies, 0.5).toFixed(2),
      "p99 ms": p99.toFixed(2),
      "p99 ratio": (p99 / undisturbed).toFixed(2),
      budget: budget === undefined ? "" : `≤ ${budget.toFixed(2)}`,
    };
  }),
);
console.log();
