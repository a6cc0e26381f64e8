import {
  countPendingOf,
  listRemovedWebhooks,
  percentiles,
  readSeries,
  successRate,
  sumSeries,
} from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { overviewPeriods, toTimestamp } from "@hookwright/domain";
import type { Overview } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { listNewestWebhooks } from "../lookups/find-webhooks.ts";
import type { OverviewUseCases, WebhookUseCases } from "../use-cases.ts";
import { findAttention } from "./attention.ts";
import { readWebhookHealths } from "./webhook-health.ts";

/** Pending deliveries are counted up to this number. */
const maximumPending = 10_000;
/** Removed webhooks that a site is looked for in. The newest of them. */
const maximumRemoved = 1_000;

/** What happened to the deliveries of an account (contract: The console). */
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
      const { stepSeconds, steps } = overviewPeriods[period];
      if (projectId !== undefined) await expectProject(store, accountId, projectId);
      // Also one that was removed.
      if (webhookId !== undefined) await webhooks.getForConsole(accountId, webhookId);
      const all = await listNewestWebhooks(store, accountId);
      const shown = all.filter(
        ({ id, project_id: site }) =>
          (webhookId === undefined || id === webhookId) &&
          (projectId === undefined || site === null || site === projectId),
      );
      const ofSite =
        projectId === undefined ? undefined : await listIdsOfSite(store, { accountId, projectId, all });
      const webhookIds =
        webhookId === undefined ? ofSite : [webhookId].filter((id) => ofSite?.includes(id) ?? true);
      const [{ all: points }, pending, attention] = await Promise.all([
        readSeries(store, { accountId, webhookIds, stepSeconds, length: steps, now: now() }),
        countPendingOf(store, accountId, { webhookIds, limit: maximumPending }),
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

/** The webhooks for one site only, and those that were. The others are not counted: no series has the site of an event. */
async function listIdsOfSite(
  store: Store,
  {
    accountId,
    projectId,
    all,
  }: {
    readonly accountId: string;
    readonly projectId: string;
    readonly all: readonly WebhookRow[];
  },
): Promise<string[]> {
  const removed = await listRemovedWebhooks(store, accountId, { limit: maximumRemoved });
  return [...all, ...removed].filter((row) => row.project_id === projectId).map(({ id }) => id);
}
