import { findWebhook, listWebhooks } from "@hookwright/delivery";
import type { Stored, WebhookRow } from "@hookwright/delivery";
import { isHostId } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { noSuch } from "./no-such.ts";

/** The webhooks that an account may have (specification §8). */
export const maximumWebhooks = 50;

/** All webhooks of an account, newest first. */
export async function listNewestWebhooks(store: Store, accountId: string): Promise<WebhookRow[]> {
  const webhooks = await listWebhooks(store, accountId, { limit: maximumWebhooks });
  // Ids are ordered by time.
  return webhooks.sort((left, right) => (left.id < right.id ? 1 : -1));
}

/** @throws HookwrightError `resource_not_found` */
export async function expectWebhook(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<Stored<WebhookRow>> {
  const webhook = isHostId(webhookId) ? await findWebhook(store, accountId, webhookId) : undefined;
  if (webhook === undefined) throw noSuch("webhook");
  return webhook;
}
