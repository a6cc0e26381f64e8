import type { WebhookRow } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { listNewestWebhooks } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import type { Developer } from "../use-cases.ts";

/**
 * Whether a caller of the developer API sees something: a key sees what it created (contract: The developer API).
 *
 * @param creator has the key that created it, if it was a key
 */
export function maySee(
  { credential }: Developer,
  { key_id: keyId }: { readonly key_id?: string | null | undefined },
): boolean {
  return credential.type === "console" || keyId === credential.keyId;
}

/** The webhooks that a key created. Undefined for a console token, which sees every webhook, removed ones included. */
export async function listOwnWebhooks(
  store: Store,
  developer: Developer,
): Promise<readonly WebhookRow[] | undefined> {
  if (developer.credential.type === "console") return undefined;
  const webhooks = await listNewestWebhooks(store, developer.accountId);
  return webhooks.filter((webhook) => maySee(developer, webhook.created_by));
}

/**
 * Checks that the caller may see what belongs to a webhook.
 *
 * @param noun names what the caller asked for
 * @throws HookwrightError `resource_not_found`, as for an unknown id
 */
export async function expectOwnWebhook(
  store: Store,
  developer: Developer,
  webhookId: string,
  noun = "webhook",
): Promise<void> {
  const own = await listOwnWebhooks(store, developer);
  if (own !== undefined && !own.some(({ id }) => id === webhookId)) throw noSuch(noun);
}
