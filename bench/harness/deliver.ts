import { setTimeout } from "node:timers/promises";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { quietLogger } from "./quiet-logger.ts";
import type { Receiver } from "./receiver.ts";
import type { Figures } from "./rounds.ts";
import { sampleOrder } from "./sample-order.ts";

/** Publishes as fast as deliveries complete. With so many in flight every connection is busy. */
const manyAtOnce = 1_024;

/** The server secret of everything in this store. */
export const benchSecret = "s".repeat(32);

export interface DeliveryLoad {
  /** The number of deliveries, not of events. */
  readonly count: number;
  /** How many webhooks listen to each event. */
  readonly webhooks: number;
}

/** Measures one process from the first publish until the last delivery is recorded as accepted. */
export async function measureDelivery(
  store: Store,
  receiver: Receiver,
  { count, webhooks }: DeliveryLoad,
): Promise<Figures> {
  await using hookwright = await createHookwright({
    store,
    secret: benchSecret,
    privateTargets: true,
    logger: quietLogger,
  });
  const targets = Array.from(
    { length: webhooks },
    (_, webhook) => `${receiver.origins.accepting}/hook/${webhook}`,
  );
  await createBenchAccount(hookwright, targets);
  await receiver.reset();
  const events = Math.floor(count / webhooks);
  let orders = 0;
  const nextEvent = () => ({ projectId: "site_bench", order: orders++ });
  const figures = await publishAndDeliver(hookwright, { events, webhooks, nextEvent });
  return { ...figures, ...(await countLosses(receiver, events * webhooks)) };
}

/** Creates the account `acc_bench` with the site `site_bench` and a webhook for each of these URLs. */
export async function createBenchAccount(hookwright: Hookwright, targets: readonly string[]): Promise<void> {
  await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
  for (const target_url of targets)
    await hookwright.webhooks.create(
      { accountId: "acc_bench", credential: { type: "console" } },
      { event: "order.created", target_url },
    );
}

export async function countLosses(receiver: Receiver, sent: number) {
  const { received, distinct } = await receiver.counts();
  return { lost: sent - distinct, duplicates: received - distinct };
}

export interface PublishedLoad {
  readonly events: number;
  /** How many webhooks listen to each event. */
  readonly webhooks: number;
  /** Chooses the project and the number of the next order. */
  readonly nextEvent: () => { readonly projectId: string; readonly order: number };
  /** The statistics of many endpoints take time to add up, so they must not be read every millisecond. @default 1 */
  readonly pollMs?: number;
  /** Deliveries in flight, from `publish` to the recorded result. @default 1,024 */
  readonly atOnce?: number;
}

/** Publishes, and waits until the last delivery is recorded. */
export async function publishAndDeliver(
  hookwright: Hookwright,
  { events, webhooks, nextEvent, pollMs = 1, atOnce = manyAtOnce }: PublishedLoad,
): Promise<Pick<Figures, "perSecond" | "cpuMicroseconds">> {
  const { scheduler } = hookwright;
  const deliveries = events * webhooks;
  const recordedBefore = scheduler.stats.recorded;
  const recorded = (): number => scheduler.stats.recorded - recordedBefore;
  const stop = startMeasuring();
  let refused: unknown;
  const nextLook = async (): Promise<void> => {
    if (refused !== undefined) throw refused;
    // Polling without a pause would use CPU time of the measured program.
    await setTimeout(pollMs);
  };
  for (let published = 0; published < events;) {
    const room = atOnce - published * webhooks + recorded();
    const end = Math.min(events, published + Math.floor(room / webhooks));
    for (; published < end; published++) {
      const { projectId, order } = nextEvent();
      hookwright
        .publish({ event: "order.created", project_id: projectId, data: sampleOrder(order) })
        .catch((error: unknown) => (refused = error));
    }
    await nextLook();
  }
  while (recorded() < deliveries) await nextLook();
  return stop(deliveries);
}

/** Measures this process until the returned function is called with the number of deliveries. */
export function startMeasuring(): (count: number) => Pick<Figures, "perSecond" | "cpuMicroseconds"> {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  return (count) => {
    const seconds = (performance.now() - start) / 1_000;
    const { user, system } = process.cpuUsage(cpuBefore);
    return { perSecond: count / seconds, cpuMicroseconds: (user + system) / count };
  };
}
