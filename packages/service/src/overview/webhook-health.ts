import { percentiles, readSeries, successRate, sumSeries } from "@hookwright/delivery";
import type { SeriesPoint } from "@hookwright/delivery";
import { toTimestamp } from "@hookwright/domain";
import type { WebhookHealth } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";

const hours = 24;

/** The last 24 hours of webhooks, in their order. */
export async function readWebhookHealths(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  accountId: string,
  webhookIds: readonly string[],
): Promise<WebhookHealth[]> {
  const { byWebhook } = await readSeries(store, {
    accountId,
    webhookIds,
    stepSeconds: 3_600,
    length: hours,
    now: now(),
  });
  return webhookIds.map((id) => toHealth(byWebhook.get(id) ?? []));
}

function toHealth(points: readonly SeriesPoint[]): WebhookHealth {
  const sum = sumSeries(points);
  return {
    success_rate: successRate(sum),
    p95_ms: percentiles(sum).p95_ms,
    strip: points.map(({ at, counts: { delivered, failed } }) => ({
      at: toTimestamp(at),
      delivered,
      failed,
    })),
  };
}
