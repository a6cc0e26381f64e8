import { measureDelivery } from "../harness/deliver.ts";
import { startProgram } from "../harness/program.ts";
import type { Receiver } from "../harness/receiver.ts";
import type { Figures } from "../harness/rounds.ts";
import { emptyStorage, openBenchStore, openStorage } from "../harness/storages.ts";
import { measureCeiling } from "./bare-sender.ts";
import { measureBullMq } from "./bullmq.ts";
import { measureGraphileWorker } from "./graphile-worker.ts";
import { measurePgBoss } from "./pg-boss.ts";
import type { QueueRun } from "./queue-load.ts";

/** The Redis or PostgreSQL to use, or a name of our own storage. All data of the contender in it is deleted. */
interface Place {
  readonly receiver: Receiver;
  readonly location: string;
}

type Contender = (place: Place, count: number) => Promise<Figures>;

/** The contenders. Each runs in a separate process, because V8's optimizations for one must not slow down another. */
export const contenders = {
  ceiling: ({ receiver }, count) => measureCeiling(receiver.origins.accepting, count),
  hookwright: (place, count) => measureOurs(place, { count, webhooks: 1 }),
  fourWebhooks: (place, count) => measureOurs(place, { count, webhooks: 4 }),
  bullMq: ofQueue(measureBullMq, false),
  bullMqInBulk: ofQueue(measureBullMq, true),
  graphileWorker: ofQueue(measureGraphileWorker, false),
  graphileWorkerInBulk: ofQueue(measureGraphileWorker, true),
  pgBoss: ofQueue(measurePgBoss, false),
  pgBossInBulk: ofQueue(measurePgBoss, true),
} satisfies Readonly<Record<string, Contender>>;

export type ContenderName = keyof typeof contenders;

export function isContenderName(name: string): name is ContenderName {
  return Object.hasOwn(contenders, name);
}

export interface OpenContender extends AsyncDisposable {
  measure(deliveries: number): Promise<Figures>;
}

/**
 * Starts a contender and its receiver in separate processes. It is idle between measurements.
 *
 * @param options.root the folder of the version. @default this one
 * @param options.runUp deliveries before each measurement, which are not counted
 */
export function openContender(
  name: ContenderName,
  location: string,
  {
    root = new URL("../../", import.meta.url),
    runUp = 6_000,
  }: { readonly root?: URL; readonly runUp?: number } = {},
): OpenContender {
  const program = startProgram(new URL("bench/programs/contender.ts", root), {
    args: [name, location, String(runUp)],
  });
  return {
    measure: (deliveries) => program.request(deliveries),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}

function ofQueue(measure: (run: QueueRun) => Promise<Figures>, bulk: boolean): Contender {
  return ({ receiver, location: url }, count) => measure({ url, receiver, count, bulk });
}

/** In memory and on files, each measurement has a storage of its own. */
async function measureOurs(
  { receiver, location }: Place,
  load: { readonly count: number; readonly webhooks: number },
): Promise<Figures> {
  await emptyStorage(location);
  await using own = location === "file" ? await openStorage("file") : undefined;
  await using store = await openBenchStore(own?.location ?? location);
  return await measureDelivery(store, receiver, load);
}
