import { readLedger, successRate, sumPoints, toLedgerNumbers } from "@hookwright/delivery";
import { overviewPeriods, toTimestamp } from "@hookwright/domain";
import type { Overview } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { listNewestWebhooks } from "../lookups/find-webhooks.ts";
import type { OverviewUseCases, WebhookUseCases } from "../use-cases.ts";
import { findAttention } from "./attention.ts";
import { lastSteps } from "./last-steps.ts";
import { readWebhookHealths } from "./webhook-health.ts";

/** What became of the events of an account (contract: Ledger). */
export function createOverview(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  webhooks: Pick<WebhookUseCases, "getForConsole" | "listForConsole" | "listRemoved">,
): OverviewUseCases {
  return {
    async listWebhooks(accountId, page, status) {
      const list = status === "removed" ? webhooks.listRemoved : webhooks.listForConsole;
      const { rows, meta } = await list(accountId, page);
      const ids = rows.map(({ id }) => id);
      const healths = await readWebhookHealths({ store, now }, accountId, ids);
      return { rows: rows.map((row, index) => ({ ...row, health: healths[index] })), meta };
    },

    async get(accountId, { period, webhook_id: webhookId, project_id: projectId }): Promise<Overview> {
      if (projectId !== undefined) await expectProject(store, accountId, projectId);
      // Also one that was removed.
      if (webhookId !== undefined) await webhooks.getForConsole(accountId, webhookId);
      const all = await listNewestWebhooks(store, accountId);
      const shown = all.filter(
        ({ id, project_id: site }) =>
          (webhookId === undefined || id === webhookId) &&
          (projectId === undefined || site === null || site === projectId),
      );
      const [ledger, attention] = await Promise.all([
        readLedger(store, {
          accountId,
          webhookIds: webhookId === undefined ? undefined : [webhookId],
          projectId,
          ...lastSteps(overviewPeriods[period], now()),
        }),
        findAttention({ store, now }, accountId, shown),
      ]);
      const sum = sumPoints(ledger.all);
      return {
        period,
        since: toTimestamp(ledger.since),
        until: toTimestamp(ledger.until),
        step_seconds: ledger.stepSeconds,
        series: ledger.all.map(({ at, counts }) => ({
          at: toTimestamp(at),
          ...toLedgerNumbers(counts),
          attempts: counts.attempts,
        })),
        totals: { ...toLedgerNumbers(sum), success_rate: successRate(sum) },
        attention,
      };
    },
  };
}
