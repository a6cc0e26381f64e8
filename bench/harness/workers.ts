import { setTimeout } from "node:timers/promises";
import { createHookwright } from "hookwright";
import { benchSecret, countLosses } from "./deliver.ts";
import { fillEndpoints, publishOrders } from "./fill.ts";
import { startProgram } from "./program.ts";
import { quietLogger } from "./quiet-logger.ts";
import type { Receiver } from "./receiver.ts";
import type { Figures } from "./rounds.ts";
import { emptyStorage, openBenchStore } from "./storages.ts";

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
): Promise<Figures> {
  await receiver.reset();
  await emptyStorage(url);
  await using opened = new AsyncDisposableStack();
  const program = new URL("../programs/worker.ts", import.meta.url);
  const processes = Array.from({ length: workers }, () => opened.use(startProgram(program, { args: [url] })));
  await Promise.all(processes.map((each) => each.nextMessage()));
  const ask = (): Promise<WorkerFigures[]> => Promise.all(processes.map((each) => each.request("figures")));
  const store = opened.use(await openBenchStore(url));
  await fillEndpoints(store, { count: accounts, ofAccount: 1, origin: receiver.origins.accepting });
  const hookwright = opened.use(
    await createHookwright({
      store,
      secret: benchSecret,
      privateTargets: true,
      role: "api",
      logger: quietLogger,
    }),
  );
  while ((await ask()).some(({ partitions }) => partitions !== 64 / workers)) await setTimeout(50);
  const publish = (first: number, total: number): Promise<void> =>
    publishOrders(hookwright, { first, count: total, atOnce: publishedTogether, projects: accounts });
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
  for (const each of processes) each.signal("SIGSTOP");
  await publish(warm, count);
  for (const each of processes) each.signal("SIGCONT");
  const start = performance.now();
  const after = await recorded(warm + count);
  const seconds = (performance.now() - start) / 1_000;
  return {
    perSecond: count / seconds,
    cpuMicroseconds: (sum(after, "cpuMicroseconds") - sum(before, "cpuMicroseconds")) / count,
    ...(await countLosses(receiver, warm + count)),
  };
}

function sum(figures: readonly WorkerFigures[], name: keyof WorkerFigures): number {
  return figures.reduce((total, each) => total + each[name], 0);
}
