import { readLedger, sumPoints, toLedgerNumbers, toLedgerOutcomes } from "@hookwright/delivery";
import type { LedgerPoint } from "@hookwright/delivery";
import { successRate, toTimestamp } from "@hookwright/domain";
import type { WebhookHealth } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { lastSteps } from "./last-steps.ts";

/** The last 24 hours of webhooks, in their order. */
export async function readWebhookHealths(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  accountId: string,
  webhookIds: readonly string[],
): Promise<WebhookHealth[]> {
  const { byWebhook } = await readLedger(store, {
    accountId,
    webhookIds,
    ...lastSteps({ stepSeconds: 3_600, steps: 24 }, now()),
  });
  return webhookIds.map((id) => toHealth(byWebhook.get(id) ?? []));
}

function toHealth(points: readonly LedgerPoint[]): WebhookHealth {
  const sum = sumPoints(points);
  const { first_try_rate, p95_ms } = toLedgerNumbers(sum);
  return {
    success_rate: successRate(sum),
    first_try_rate,
    p95_ms,
    strip: points.map(({ at, counts }) => ({ at: toTimestamp(at), ...toLedgerOutcomes(counts) })),
  };
}
