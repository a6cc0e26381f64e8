import { setTimeout } from "node:timers/promises";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import type { Receiver } from "./open-receiver.ts";
import { sampleOrder } from "./sample-order.ts";

export interface DeliveryFigures {
  readonly perSecond: number;
  /** The CPU time of this process, with all its threads. */
  readonly cpuMicroseconds: number;
  readonly lost: number;
  readonly duplicates: number;
}

/** Publishes as fast as deliveries complete. With so many in flight every connection is busy. */
const manyAtOnce = 1_024;

/** The server secret of everything in this store. */
export const benchSecret = "s".repeat(32);

export interface DeliveryLoad {
  /** The number of deliveries, not of events. */
  readonly count: number;
  /** How many webhooks listen to each event. @default 1 */
  readonly webhooks?: number | undefined;
}

/** A process that delivers to its own account. */
export interface OpenDelivery extends AsyncDisposable {
  /** Measures from the first publish until the last of these deliveries is recorded as accepted. */
  measure(count: number): Promise<DeliveryFigures>;
}

/** Measures one process from the first publish until the last delivery is recorded as accepted. */
export async function measureDelivery(
  store: Store,
  receiver: Receiver,
  { count, webhooks }: DeliveryLoad,
): Promise<DeliveryFigures> {
  await using delivery = await openDelivery(store, receiver, { webhooks });
  return await delivery.measure(count);
}

/** Creates the account `acc_bench` in the store, and delivers for it. */
export async function openDelivery(
  store: Store,
  receiver: Receiver,
  { webhooks = 1 }: Pick<DeliveryLoad, "webhooks"> = {},
): Promise<OpenDelivery> {
  const hookwright = await createHookwright({ store, secret: benchSecret, privateTargets: true });
  await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
  for (let webhook = 1; webhook <= webhooks; webhook++) {
    await hookwright.webhooks.create(
      { accountId: "acc_bench", credential: { type: "console" } },
      { event: "order.created", target_url: `${receiver.origin}/hook/${webhook}` },
    );
  }
  let orders = 0;

  async function measure(count: number): Promise<DeliveryFigures> {
    await receiver.reset();
    const events = Math.floor(count / webhooks);
    const deliveries = events * webhooks;
    const figures = await publishAndDeliver(hookwright, {
      events,
      webhooks,
      nextEvent: () => ({ projectId: "site_bench", order: orders++ }),
    });
    const { received, distinct } = await receiver.counts();
    return { ...figures, lost: deliveries - distinct, duplicates: received - distinct };
  }

  return { measure, [Symbol.asyncDispose]: () => hookwright.close() };
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
): Promise<Pick<DeliveryFigures, "perSecond" | "cpuMicroseconds">> {
  const { scheduler } = hookwright;
  const deliveries = events * webhooks;
  const recordedBefore = scheduler.stats.recorded;
  const recorded = (): number => scheduler.stats.recorded - recordedBefore;
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
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
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond: deliveries / seconds, cpuMicroseconds: (user + system) / deliveries };
}
