import { listRemovedWebhooks, readLedger, sumPoints } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { overviewPeriods, successRate } from "@hookwright/domain";
import type { Overview } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { expectKnownWebhook, listNewestWebhooks } from "../lookups/find-webhooks.ts";
import type { OverviewUseCases, WebhookUseCases } from "../use-cases.ts";
import { findAttention } from "./attention.ts";
import { lastSteps } from "./last-steps.ts";
import { readAccountLedger, toLedger } from "./read-account-ledger.ts";
import { snooze } from "./snooze.ts";
import { readWebhookHealths } from "./webhook-health.ts";

/** So many removed webhooks are looked at. */
const removedLookedAt = 100;

/** What became of the events of an account (contract: The console). */
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

    snooze: (accountId, input) => snooze({ store, now }, accountId, input),

    getLedger: (accountId, filters) => readAccountLedger({ store, now }, accountId, filters),

    async get(accountId, { period, webhook_id: webhookId, project_id: projectId }): Promise<Overview> {
      if (projectId !== undefined) await expectProject(store, accountId, projectId);
      if (webhookId !== undefined) await expectKnownWebhook(store, accountId, webhookId);
      const [all, allRemoved] = await Promise.all([
        listNewestWebhooks(store, accountId),
        listRemovedWebhooks(store, accountId, { limit: removedLookedAt }),
      ]);
      const isShown = ({ id, project_id: site }: Pick<WebhookRow, "id" | "project_id">): boolean =>
        (webhookId === undefined || id === webhookId) &&
        (projectId === undefined || site === null || site === projectId);
      const [ledger, attention] = await Promise.all([
        readLedger(store, {
          accountId,
          webhookIds: webhookId === undefined ? undefined : [webhookId],
          projectId,
          ...lastSteps(overviewPeriods[period], now()),
        }),
        findAttention({ store, now }, accountId, {
          webhooks: all.filter(isShown),
          removed: allRemoved.filter(isShown),
        }),
      ]);
      const { totals, series, ...range } = toLedger(ledger);
      return {
        period,
        ...range,
        series: series.map((point, index) => ({
          ...point,
          attempts: ledger.all[index]?.counts.attempts ?? 0,
        })),
        totals: { ...totals, success_rate: successRate(sumPoints(ledger.all)) },
        attention,
      };
    },
  };
}
