import { setTimeout } from "node:timers/promises";
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { Pool } from "pg";
import { openBareSender } from "./bare-sender.ts";
import type { Figures } from "../harness/rounds.ts";
import { jobsAtOnce, maximumAttempts, measureQueueLoad } from "./queue-load.ts";
import type { QueueRun } from "./queue-load.ts";

const schema = "graphile_worker";

/**
 * A typical solution with PostgreSQL: a job of graphile-worker per delivery and undici, with the batches that its
 * documentation uses for its own figures (https://worker.graphile.org/docs/performance). It keeps no record of
 * deliveries, and deletes completed jobs.
 *
 * 64 jobs are added at a time: one by one, or in bulk.
 */
export async function measureGraphileWorker({ url, receiver, count, bulk }: QueueRun): Promise<Figures> {
  await using sender = openBareSender(`${receiver.origins.accepting}/hook`);
  const pool = new Pool({ connectionString: url });
  await pool.query(`drop schema if exists ${schema} cascade`);
  let sent = 0;
  const preset = {
    worker: {
      connectionString: url,
      schema,
      concurrentJobs: jobsAtOnce,
      maxPoolSize: 25,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
      logger: new Logger(() => () => {}),
    },
  };
  const utils = await makeWorkerUtils({ preset });
  await utils.migrate();
  const runner = await run({
    noHandleSignals: true,
    preset,
    taskList: {
      async deliver(body, { job }) {
        await sender.send(`dlv_${job.id}`, JSON.stringify(body));
        sent += 1;
      },
    },
  });
  const figures = await measureQueueLoad(
    {
      add: (bodies) =>
        bulk
          ? utils.addJobs(
              bodies.map((payload) => ({ identifier: "deliver", payload, maxAttempts: maximumAttempts })),
            )
          : Promise.all(
              bodies.map((body) => utils.addJob("deliver", body, { maxAttempts: maximumAttempts })),
            ),
      sent: () => sent,
      async recorded() {
        const remaining = `select 1 from ${schema}._private_jobs limit 1`;
        while ((await pool.query(remaining)).rows.length > 0) await setTimeout(1);
      },
    },
    receiver,
    count,
  );
  await runner.stop();
  await utils.release();
  await pool.end();
  return figures;
}
