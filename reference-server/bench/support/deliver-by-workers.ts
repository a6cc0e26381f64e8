import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createHookwright } from "hookwright";
import type { DeliveryFigures } from "./deliver.ts";
import { emptyStorage } from "./empty-storage.ts";
import { openBenchStore } from "./open-bench-store.ts";
import type { Receiver } from "./open-receiver.ts";
import { sampleOrder } from "./sample-order.ts";

interface WorkerFigures {
  readonly recorded: number;
  readonly partitions: number;
  readonly cpuMicroseconds: number;
}

const accounts = 64;
const publishedTogether = 256;
/** The warm-up of each worker, because a new process is still compiling. */
const warmUp = 4_000;

/**
 * Lets this many worker processes deliver a backlog of many accounts, so that all of them are busy to the end. They are
 * stopped while it is published, for less than their lease. CPU time is the total of the workers. All data at this URL of a
 * Redis or PostgreSQL is deleted.
 */
export async function measureWorkers(
  url: string,
  receiver: Receiver,
  { count, workers }: { readonly count: number; readonly workers: number },
): Promise<DeliveryFigures> {
  await receiver.reset();
  await emptyStorage(url);
  const processes = await Promise.all(Array.from({ length: workers }, () => startWorker(url)));
  const ask = (): Promise<WorkerFigures[]> => Promise.all(processes.map(figuresOf));
  const store = await openBenchStore(url);
  const hookwright = await createHookwright({
    store,
    secret: "s".repeat(32),
    privateTargets: true,
    role: "api",
  });
  for (let account = 0; account < accounts; account++) {
    await hookwright.accounts.put(`acc_${account}`, { email: `bench-${account}@example.com` });
    await hookwright.projects.put(`site_${account}`, { account_id: `acc_${account}`, name: "Bench" });
    await hookwright.webhooks.create(
      { accountId: `acc_${account}`, credential: { type: "console" } },
      { event: "order.created", target_url: `${receiver.origin}/hook/${account}` },
    );
  }
  while ((await ask()).some(({ partitions }) => partitions !== 64 / workers)) await setTimeout(50);
  const publish = async (first: number, last: number): Promise<void> => {
    for (let published = first; published < last; published += publishedTogether) {
      const batch = Array.from({ length: Math.min(publishedTogether, last - published) }, (_, index) =>
        hookwright.publish({
          event: "order.created",
          project_id: `site_${(published + index) % accounts}`,
          data: sampleOrder(published + index),
        }),
      );
      await Promise.all(batch);
    }
  };
  const recorded = async (total: number): Promise<WorkerFigures[]> => {
    for (;;) {
      const figures = await ask();
      if (sum(figures, "recorded") >= total) return figures;
      await setTimeout(20);
    }
  };
  const warm = warmUp * workers;
  await publish(0, warm);
  const before = await recorded(warm);
  for (const worker of processes) worker.kill("SIGSTOP");
  await publish(warm, warm + count);
  for (const worker of processes) worker.kill("SIGCONT");
  const start = performance.now();
  const after = await recorded(warm + count);
  const seconds = (performance.now() - start) / 1_000;
  const { received, distinct } = await receiver.counts();
  await hookwright.close();
  await store.close();
  for (const worker of processes) {
    worker.disconnect();
    await once(worker, "exit");
  }
  return {
    perSecond: count / seconds,
    cpuMicroseconds: (sum(after, "cpuMicroseconds") - sum(before, "cpuMicroseconds")) / count,
    lost: warm + count - distinct,
    duplicates: received - distinct,
  };
}

async function startWorker(url: string): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(new URL("bench-worker.ts", import.meta.url)), [url]);
  await Promise.race([
    once(worker, "message"),
    once(worker, "exit").then(() => {
      throw new Error("a worker ended before it was ready");
    }),
  ]);
  return worker;
}

async function figuresOf(worker: ChildProcess): Promise<WorkerFigures> {
  worker.send("figures");
  const [figures] = await once(worker, "message");
  return figures;
}

function sum(figures: readonly WorkerFigures[], name: keyof WorkerFigures): number {
  return figures.reduce((total, each) => total + each[name], 0);
}
