import { setTimeout } from "node:timers/promises";
import { Pool } from "pg";
import { PgBoss } from "pg-boss";
import type { Job, JobResult } from "pg-boss";
import { openBareSender } from "./bare-sender.ts";
import type { BareSender } from "./bare-sender.ts";
import type { Figures } from "../harness/rounds.ts";
import { jobsAtOnce, maximumAttempts, measureQueueLoad } from "./queue-load.ts";
import type { QueueRun } from "./queue-load.ts";

const schema = "pgboss";
const queue = "deliveries";
const workers = 4;

/**
 * A typical solution with PostgreSQL: a job of pg-boss per delivery and undici. Four workers fetch batches of 64 jobs
 * without a pause while batches are full, and are notified of new jobs. pg-boss keeps completed jobs for a week.
 *
 * 64 jobs are added at a time: one by one, or in bulk.
 */
export async function measurePgBoss({ url, receiver, count, bulk }: QueueRun): Promise<Figures> {
  await using sender = openBareSender(`${receiver.origins.accepting}/hook`);
  const pool = new Pool({ connectionString: url });
  await pool.query(`drop schema if exists ${schema} cascade`);
  const boss = new PgBoss({ connectionString: url, schema, max: 25, useListenNotify: true });
  let failed: unknown;
  boss.on("error", (error) => (failed = error));
  await boss.start();
  const retryLimit = maximumAttempts - 1;
  await boss.createQueue(queue, { notify: true, retryLimit, retryDelay: 15, retryBackoff: true });
  let sent = 0;
  await boss.work<object>(
    queue,
    {
      batchSize: jobsAtOnce,
      localConcurrency: workers,
      perJobResults: true,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
    },
    async (jobs) => {
      const results = await Promise.all(jobs.map((job) => deliver(sender, job)));
      sent += results.filter(({ status }) => status === "completed").length;
      return results;
    },
  );
  const figures = await measureQueueLoad(
    {
      async add(bodies) {
        if (failed !== undefined) throw failed;
        if (bulk)
          await boss.insert(
            queue,
            bodies.map((data) => ({ data })),
          );
        else await Promise.all(bodies.map((body) => boss.send(queue, body)));
      },
      sent: () => sent,
      async recorded() {
        const remaining = `select 1 from ${schema}.job where state < 'completed' limit 1`;
        while ((await pool.query(remaining)).rows.length > 0) await setTimeout(1);
      },
    },
    receiver,
    count,
  );
  await boss.stop({ graceful: false });
  await pool.end();
  return figures;
}

async function deliver(sender: BareSender, { id, data }: Job<object>): Promise<JobResult> {
  try {
    await sender.send(`dlv_${id}`, JSON.stringify(data));
    return { id, status: "completed" };
  } catch (error) {
    return { id, status: "failed", output: { message: String(error) } };
  }
}
