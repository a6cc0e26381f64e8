import { setTimeout } from "node:timers/promises";
import {
  addWebhook,
  createDelivery,
  createTransport,
  createWorker,
  readWebhookGuard,
  systemClock,
  toQueueMutations,
} from "@hookwright/delivery";
import { createSigner } from "@hookwright/signature/node";
import { partitionOf, partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import type { DeliveryFigures } from "./deliver.ts";
import type { Receiver } from "./open-receiver.ts";

export interface WorkerLoad {
  readonly count: number;
  readonly countsSeries: boolean;
}

const accountId = "acc_bench";
const committedTogether = 64;
/** Deliveries that may wait or be in flight. */
const maximumWaiting = 1_024;

/** Measures the worker without a service: from the first commit of deliveries to the last recorded 2xx. */
export async function measureWorker(
  store: Store,
  receiver: Receiver,
  { count, countsSeries }: WorkerLoad,
): Promise<DeliveryFigures> {
  await receiver.reset();
  const webhook = {
    id: "wh_bench",
    event: "order.created",
    target_url: `${receiver.origin}/hook`,
    project_id: null,
    status: "active",
    created_at: Date.now(),
    created_by: { type: "console", key_id: null, name: null, integration: false },
  } as const;
  const secrets = { webhook_id: webhook.id, current: "whsec_bench", pending: null };
  const partition = partitionOf(accountId);
  await store.commit(partition, addWebhook(await readWebhookGuard(store, accountId), webhook, secrets));
  await using transport = createTransport({ privateTargets: true });
  const sign = createSigner(secrets.current);
  const body = JSON.stringify({ text: "x".repeat(1_000) });
  const failures: unknown[] = [];
  await using worker = createWorker({
    store,
    partitions,
    worker: { id: "worker_bench", host: "bench", process: process.pid },
    transport,
    readMessages: async (_, deliveries) => deliveries.map(() => ({ ok: true, body })),
    openSigner: () => sign,
    retryDelaysSeconds: [],
    attemptTimeoutMs: 10_000,
    clock: systemClock,
    wallClock: Date.now,
    random: Math.random,
    countsSeries,
    onNotice: () => {},
    onError: (error) => failures.push(error),
  });
  await worker.start();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  for (let made = 0; made < count;) {
    if (failures.length > 0) throw failures[0];
    if (made - worker.stats.recorded >= maximumWaiting) {
      await setTimeout(1);
      continue;
    }
    const deliveries = Array.from({ length: Math.min(committedTogether, count - made) }, (_, index) =>
      createDelivery({
        id: `dlv_${String(made + index).padStart(12, "0")}`,
        webhook,
        event: webhook.event,
        recordId: `ord_${made + index}`,
        recordArrival: 1,
        projectId: "site_bench",
        kind: "event",
        now: Date.now(),
      }),
    );
    const mutations = deliveries.flatMap((delivery) => toQueueMutations(accountId, delivery));
    await store.commit(partition, { mutations });
    worker.offer(accountId, deliveries);
    made += deliveries.length;
  }
  while (worker.stats.recorded < count) await setTimeout(1);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const { received, distinct } = await receiver.counts();
  return {
    perSecond: count / seconds,
    cpuMicroseconds: (user + system) / count,
    lost: count - distinct,
    duplicates: received - distinct,
  };
}
