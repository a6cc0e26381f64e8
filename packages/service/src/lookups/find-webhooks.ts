import { findRemovedWebhook, findWebhook, listWebhooks } from "@hookwright/delivery";
import type { Stored, WebhookRow } from "@hookwright/delivery";
import { HookwrightError, isHostId } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { noSuch } from "./no-such.ts";

/** The webhooks that an account may have (contract: Webhooks). */
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

/**
 * As `expectWebhook`, for the console. It still shows removed webhooks, so it says why they cannot change.
 *
 * @throws HookwrightError `resource_not_found`; `invalid_state` if the webhook was removed
 */
export async function expectPresentWebhook(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<Stored<WebhookRow>> {
  const webhook = isHostId(webhookId) ? await findWebhook(store, accountId, webhookId) : undefined;
  if (webhook !== undefined) return webhook;
  if (!isHostId(webhookId) || (await findRemovedWebhook(store, accountId, webhookId)) === undefined)
    throw noSuch("webhook");
  throw new HookwrightError(
    "invalid_state",
    "The webhook was removed, so it cannot be changed or tested. Create a new one.",
  );
}
