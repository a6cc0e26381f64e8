import { keys, parseWebhookRow } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { eventNames, isHostId } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
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

/** Ids are ordered by time. */
function newestFirst(left: WebhookRow, right: WebhookRow): number {
  return left.id < right.id ? 1 : -1;
}
