import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { openBareSender } from "./bare-sender.ts";
import type { Figures } from "../harness/rounds.ts";
import { jobsAtOnce, maximumAttempts, measureQueueLoad } from "./queue-load.ts";
import type { QueueRun } from "./queue-load.ts";

/**
 * A typical solution with Redis: a BullMQ job per delivery, one worker with 64 concurrent jobs and undici, six
 * attempts. It keeps no record of deliveries, and removes completed jobs.
 *
 * 64 jobs are added at a time, as the other contenders publish: one by one, or in bulk.
 */
export async function measureBullMq({ url, receiver, count, bulk }: QueueRun): Promise<Figures> {
  await using sender = openBareSender(`${receiver.origins.accepting}/hook`);
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  await connection.flushall();
  const blocking = connection.duplicate();
  const queue = new Queue("deliveries", { connection });
  let completed = 0;
  const worker = new Worker("deliveries", ({ id, data }) => sender.send(`dlv_${id}`, JSON.stringify(data)), {
    connection: blocking,
    concurrency: jobsAtOnce,
  });
  worker.on("completed", () => (completed += 1));
  await worker.waitUntilReady();
  const opts = {
    attempts: maximumAttempts,
    backoff: { type: "exponential", delay: 15_000 },
    removeOnComplete: true,
  };
  const figures = await measureQueueLoad(
    {
      add: (bodies) =>
        bulk
          ? queue.addBulk(bodies.map((data) => ({ name: "delivery", data, opts })))
          : Promise.all(bodies.map((data) => queue.add("delivery", data, opts))),
      // BullMQ reports a job when it is recorded.
      sent: () => completed,
      recorded: async () => {},
    },
    receiver,
    count,
  );
  await worker.close();
  await queue.close();
  connection.disconnect();
  blocking.disconnect();
  return figures;
}
