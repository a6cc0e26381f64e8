import { setTimeout } from "node:timers/promises";
import { countLosses, startMeasuring } from "../harness/deliver.ts";
import type { Receiver } from "../harness/receiver.ts";
import type { Figures } from "../harness/rounds.ts";
import { sampleOrder } from "../harness/sample-order.ts";

const maximumOnTheirWay = 512;
const addedTogether = 64;

/** The attempts that a job queue makes at most, as many as we do. */
export const maximumAttempts = 6;
/** The number of messages that a job queue sends at once: as many as the sender has connections. */
export const jobsAtOnce = 64;

/** What a job queue is measured with: the URL of its server, and whether 64 jobs are added one by one or in bulk. */
export interface QueueRun {
  readonly url: string;
  readonly receiver: Receiver;
  readonly count: number;
  readonly bulk: boolean;
}

/** A job queue that is ready to send. */
export interface LoadedQueue {
  /** Adds jobs with these bodies. Resolves when they are stored. */
  add(bodies: readonly object[]): Promise<unknown>;
  /** The number of jobs that were sent so far. */
  sent(): number;
  /** Resolves when all jobs that were sent are also recorded as done. */
  recorded(): Promise<void>;
}

/** Measures a job queue from the first job added until the last one is recorded as done. 64 jobs are added at a time. */
export async function measureQueueLoad(
  queue: LoadedQueue,
  receiver: Receiver,
  count: number,
): Promise<Figures> {
  await receiver.reset();
  const stop = startMeasuring();
  for (let added = 0; added < count; added += addedTogether) {
    await queue.add(
      Array.from({ length: Math.min(addedTogether, count - added) }, (_, index) => toBody(added + index)),
    );
    while (added + addedTogether - queue.sent() > maximumOnTheirWay) await setTimeout(1);
  }
  while (queue.sent() < count) await setTimeout(1);
  await queue.recorded();
  return { ...stop(count), ...(await countLosses(receiver, count)) };
}

function toBody(number: number): object {
  return {
    id: `order.created_${number}`,
    event: "order.created",
    project: { id: "site_bench", name: "Bench", timezone: "UTC" },
    data: sampleOrder(number),
  };
}
