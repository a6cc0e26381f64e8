/**
 * What the metrics of one delivery cost: `node packages/hookwright/bench/metrics.ts`.
 *
 * A delivery reads the store twice and shares its commits with others, so three operations are more than it needs.
 */
import type { AttemptRow, DeliveryRow } from "@hookwright/delivery";
import { memoryStore } from "@hookwright/storage/memory";
import { createMetrics } from "../src/metrics/create-metrics.ts";

const calls = 200_000;
const rounds = 5;
const operations = 3;

const delivery: DeliveryRow = {
  id: "dlv_1",
  webhook_id: "wh_1",
  target_url: "https://receiver.example.com/",
  event: "order.created",
  record_id: "ord_1",
  project_id: "site_1",
  kind: "event",
  status: "delivered",
  created_at: 0,
  next_attempt_at: null,
  completed_at: 20,
  record_arrival: 1,
  attempts: [],
};
const attempt: AttemptRow = {
  number: 1,
  started_at: 2,
  duration_ms: 18,
  request_form: 1,
  signature: "",
  body: "",
  status: 200,
  headers: [],
  excerpt: "",
  error: null,
  detail: null,
  next_attempt_at: null,
};

/** Microseconds of CPU time per call: the best of some rounds. Other programs hardly change it. */
async function measure(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call += 1) await run();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / calls);
  }
  return Math.min(...times);
}

const metrics = createMetrics();
const store = memoryStore();
const observed = metrics.observeStore(store);
const key = ["p00", "greeting"] as const;
const nothing = await measure(() => {});
const recording = (await measure(() => metrics.onAttempt("acc_1", delivery, attempt))) - nothing;
const plain = await measure(() => store.get(key));
const operation = (await measure(() => observed.get(key))) - plain;
console.log(`recording the attempt   ${recording.toFixed(2)} µs`);
console.log(`one storage operation   ${operation.toFixed(2)} µs`);
console.log(`per delivery            ${(recording + operations * operation).toFixed(2)} µs`);
