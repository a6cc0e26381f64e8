import { createHmac, createSecretKey } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { Agent, request } from "undici";
import type { DeliveryFigures } from "./deliver.ts";
import type { Receiver } from "./open-receiver.ts";
import { sampleOrder } from "./sample-order.ts";

const connections = 64;
const maximumOnTheirWay = 512;
const addedTogether = 64;

/**
 * What a team builds that has Redis at hand: a BullMQ job for each delivery, sent by undici from one worker with 64 jobs at
 * once, six tries. There is no record of what was sent, and jobs that are done are removed.
 *
 * Sixty-four are added at a time, as the other contenders publish: each on its own, as events happen, or in bulk.
 */
export async function measureQueue(
  url: string,
  receiver: Receiver,
  { count, bulk }: { readonly count: number; readonly bulk: boolean },
): Promise<DeliveryFigures> {
  await receiver.reset();
  const agent = new Agent({ connections, pipelining: 1, allowH2: false });
  const key = createSecretKey(Buffer.from(`whsec_${"x".repeat(43)}`));
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  await connection.flushall();
  const blocking = connection.duplicate();
  const queue = new Queue("deliveries", { connection });
  let done = 0;
  const worker = new Worker(
    "deliveries",
    async ({ id, data }) => {
      const body = JSON.stringify(data);
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const response = await request(`${receiver.origin}/hook`, {
        method: "POST",
        dispatcher: agent,
        body,
        headers: {
          "content-type": "application/json",
          "x-service-event": "order.created",
          "x-service-delivery": `dlv_${id}`,
          "x-service-timestamp": timestamp,
          "x-service-signature": `v1=${createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex")}`,
        },
      });
      await response.body.dump();
      if (response.statusCode >= 300) throw new Error(`answered ${response.statusCode}`);
    },
    { connection: blocking, concurrency: connections },
  );
  worker.on("completed", () => (done += 1));
  await worker.waitUntilReady();
  const options = {
    attempts: 6,
    backoff: { type: "exponential", delay: 15_000 },
    removeOnComplete: true,
  };
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  for (let added = 0; added < count; added += addedTogether) {
    const jobs = Array.from({ length: Math.min(addedTogether, count - added) }, (_, index) => ({
      name: "delivery",
      data: {
        id: `order.created_${added + index}`,
        event: "order.created",
        project: { id: "site_bench", name: "Bench", timezone: "UTC" },
        data: sampleOrder(added + index),
      },
      opts: options,
    }));
    if (bulk) await queue.addBulk(jobs);
    else await Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts)));
    while (added + addedTogether - done > maximumOnTheirWay) await setImmediate();
  }
  while (done < count) await setImmediate();
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const { received, distinct } = await receiver.counts();
  await worker.close();
  await queue.close();
  connection.disconnect();
  blocking.disconnect();
  await agent.close();
  return {
    perSecond: count / seconds,
    cpuMicroseconds: (user + system) / count,
    lost: count - distinct,
    duplicates: received - distinct,
  };
}
