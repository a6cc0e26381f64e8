import { countPendingOf, percentiles, readSeries, successRate, sumSeries } from "@hookwright/delivery";
import { overviewPeriods, toTimestamp } from "@hookwright/domain";
import type { Overview } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { listNewestWebhooks } from "../lookups/find-webhooks.ts";
import type { OverviewUseCases, WebhookUseCases } from "../use-cases.ts";
import { findAttention } from "./attention.ts";
import { readWebhookHealths } from "./webhook-health.ts";

/** Pending deliveries are counted up to this number. */
const maximumPending = 10_000;

/** What happened to the deliveries of an account (contract §12). */
export function createOverview(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  webhooks: Pick<WebhookUseCases, "listForConsole" | "listRemoved">,
): OverviewUseCases {
  return {
    async listWebhooks(accountId, page, status) {
      const list = status === "removed" ? webhooks.listRemoved : webhooks.listForConsole;
      const { rows, meta } = await list(accountId, page);
      const ids = rows.map(({ id }) => id);
      const healths = await readWebhookHealths({ store, now }, accountId, ids);
      return { rows: rows.map((row, index) => ({ ...row, health: healths[index] })), meta };
    },

    async get(accountId, { period, webhook_id: webhookId }): Promise<Overview> {
      const { stepSeconds, steps } = overviewPeriods[period];
      const all = await listNewestWebhooks(store, accountId);
      const shown = webhookId === undefined ? all : all.filter(({ id }) => id === webhookId);
      const webhookIds = webhookId === undefined ? undefined : [webhookId];
      const [{ all: points }, pending, attention] = await Promise.all([
        readSeries(store, { accountId, webhookIds, stepSeconds, length: steps, now: now() }),
        countPendingOf(store, accountId, { webhookId, limit: maximumPending }),
        findAttention({ store, now }, accountId, shown),
      ]);
      const sum = sumSeries(points);
      const { delivered, failed, cancelled } = sum;
      return {
        period,
        step_seconds: stepSeconds,
        series: points.map(({ at, counts }) => ({
          at: toTimestamp(at),
          delivered: counts.delivered,
          failed: counts.failed,
          cancelled: counts.cancelled,
          attempts: counts.attempts,
          ...percentiles(counts),
        })),
        totals: {
          delivered,
          failed,
          cancelled,
          pending,
          success_rate: successRate(sum),
          ...percentiles(sum),
        },
        attention,
      };
    },
  };
}
