import { findAccountOfWebhook } from "@hookwright/delivery";
import { isHostId } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { findAccountOfDisabled } from "./disabled-targets.ts";
import { noSuch } from "./no-such.ts";

/**
 * Finds the account of a webhook, also of one that was removed while the operator had disabled it. It may read the webhooks of many
 * accounts.
 *
 * @throws HookwrightError `resource_not_found`
 */
export async function expectAccountOf(store: Store, webhookId: string): Promise<string> {
  if (!isHostId(webhookId)) throw noSuch("webhook");
  const accountId =
    (await findAccountOfWebhook(store, webhookId)) ?? (await findAccountOfDisabled(store, webhookId));
  if (accountId === undefined) throw noSuch("webhook");
  return accountId;
}
