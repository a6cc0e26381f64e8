import { setImmediate } from "node:timers/promises";
import { createHookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import type { Receiver } from "./open-receiver.ts";
import { sampleOrder } from "./sample-order.ts";

export interface DeliveryFigures {
  readonly perSecond: number;
  readonly lost: number;
  readonly duplicates: number;
}

/** Publishes in step with deliveries: so many may be on their way at once. */
const maximumOnTheirWay = 2_000;
const publishedTogether = 64;

/** From the first publish to the moment the last delivery is recorded as accepted, in one process. */
export async function measureDelivery(
  store: Store,
  receiver: Receiver,
  count: number,
): Promise<DeliveryFigures> {
  await receiver.reset();
  await using hookwright = await createHookwright({ store, secret: "s".repeat(32), privateTargets: true });
  await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: "acc_bench", name: "Bench" });
  await hookwright.webhooks.create(
    { accountId: "acc_bench", credential: { type: "console" } },
    { event: "order.created", target_url: `${receiver.origin}/hook` },
  );
  const { scheduler } = hookwright;
  const start = performance.now();
  for (let published = 0; published < count; published += publishedTogether) {
    const batch = Array.from({ length: Math.min(publishedTogether, count - published) }, (_, index) =>
      hookwright.publish({
        event: "order.created",
        project_id: "site_bench",
        data: sampleOrder(published + index),
      }),
    );
    await Promise.all(batch);
    do await setImmediate();
    while (published + publishedTogether - scheduler.stats.recorded > maximumOnTheirWay);
  }
  while (scheduler.stats.recorded < count) await setImmediate();
  const seconds = (performance.now() - start) / 1_000;
  const { received, distinct } = await receiver.counts();
  return { perSecond: count / seconds, lost: count - distinct, duplicates: received - distinct };
}
