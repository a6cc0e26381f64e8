import { setTimeout } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { openBareSender } from "./bare-sender.ts";
import type { DeliveryFigures } from "./deliver.ts";
import type { Receiver } from "./open-receiver.ts";
import { sampleOrder } from "./sample-order.ts";

const jobsAtOnce = 64;
const maximumOnTheirWay = 512;
const addedTogether = 64;

/**
 * A typical solution with Redis: a BullMQ job per delivery, one worker with 64 concurrent jobs and undici, six
 * attempts. It keeps no record of deliveries, and removes completed jobs.
 *
 * 64 jobs are added at a time, as the other contenders publish: one by one, or in bulk.
 */
export async function measureQueue(
  url: string,
  receiver: Receiver,
  { count, bulk }: { readonly count: number; readonly bulk: boolean },
): Promise<DeliveryFigures> {
  await receiver.reset();
  await using sender = openBareSender(`${receiver.origin}/hook`);
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  await connection.flushall();
  const blocking = connection.duplicate();
  const queue = new Queue("deliveries", { connection });
  let done = 0;
  const worker = new Worker("deliveries", ({ id, data }) => sender.send(`dlv_${id}`, JSON.stringify(data)), {
    connection: blocking,
    concurrency: jobsAtOnce,
  });
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
    while (added + addedTogether - done > maximumOnTheirWay) await setTimeout(1);
  }
  while (done < count) await setTimeout(1);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const { received, distinct } = await receiver.counts();
  await worker.close();
  await queue.close();
  connection.disconnect();
  blocking.disconnect();
  return {
    perSecond: count / seconds,
    cpuMicroseconds: (user + system) / count,
    lost: count - distinct,
    duplicates: received - distinct,
  };
}
