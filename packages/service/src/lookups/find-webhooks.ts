import { keys, parseWebhookRow } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { eventNames, isHostId } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { noSuch } from "./no-such.ts";

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

/**
 * One webhook by id. Rows are filed by event, of which there are seven.
 *
 * @throws HookwrightError `resource_not_found`
 */
export async function expectWebhookRow(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<WebhookRow> {
  const keysByEvent = eventNames.map((event) => keys.webhook(accountId, event, webhookId));
  const texts = isHostId(webhookId) ? await store.getMany(keysByEvent) : [];
  const text = texts.find((each) => each !== undefined);
  if (text === undefined) throw noSuch("webhook");
  return parseWebhookRow(text);
}

/** Ids are ordered by time. */
function newestFirst(left: WebhookRow, right: WebhookRow): number {
  return left.id < right.id ? 1 : -1;
}
