import { keys, parseWebhookHealth, parseWebhookRow } from "@hookwright/delivery";
import type { WebhookHealthRow, WebhookRow } from "@hookwright/delivery";
import { eventNames, isHostId, toTimestamp } from "@hookwright/domain";
import type { EventName, Webhook } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";

/** Webhooks an account may have (specification §8). */
export const maximumWebhooks = 50;

/** All webhooks of an account, newest first; or those that listen to one event. */
export async function listWebhookRows(
  store: Store,
  accountId: string,
  event?: EventName,
): Promise<WebhookRow[]> {
  const entries = await store.list({ prefix: keys.webhooks(accountId, event), limit: maximumWebhooks });
  return entries.map(({ value }) => parseWebhookRow(value)).sort(newestFirst);
}

/** One webhook by id. Rows are filed by event, of which there are seven. */
export async function findWebhookRow(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  if (!isHostId(webhookId)) return undefined;
  const texts = await store.getMany(eventNames.map((event) => keys.webhook(accountId, event, webhookId)));
  const text = texts.find((each) => each !== undefined);
  return text === undefined ? undefined : parseWebhookRow(text);
}

/** Webhooks as the API answers them: with the counters that the worker keeps. */
export async function readWebhooks(
  store: Store,
  accountId: string,
  rows: readonly WebhookRow[],
): Promise<Webhook[]> {
  const health = await store.getMany(rows.map(({ id }) => keys.webhookHealth(accountId, id)));
  return rows.map((row, index) => toWebhook(row, parseWebhookHealth(health[index])));
}

function toWebhook(row: WebhookRow, health: WebhookHealthRow): Webhook {
  return {
    id: row.id,
    event: row.event,
    target_url: row.target_url,
    project_id: row.project_id,
    status: row.status,
    consecutive_failures: health.consecutive_failures,
    last_success_at: toTimestampOrNull(health.last_success_at),
    last_failure_at: toTimestampOrNull(health.last_failure_at),
    created_at: toTimestamp(row.created_at),
  };
}

function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}

/** Ids are ordered by time. */
function newestFirst(left: WebhookRow, right: WebhookRow): number {
  return left.id < right.id ? 1 : -1;
}
