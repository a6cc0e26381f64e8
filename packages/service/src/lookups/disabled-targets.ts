import { partitions } from "@hookwright/storage";
import type { Key, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../rows/keys.ts";

/** The URL of a webhook when the operator disabled it. */
interface DisabledTarget {
  readonly target_url: string;
  readonly reason: string;
}

/** More than an account has: each is of a webhook that the operator disabled by hand or by a filter. */
const maximumRead = 1_000;

export function keepTargetDisabled(accountId: string, webhookId: string, target: DisabledTarget): Mutation {
  return { type: "set", key: keyOf(accountId, webhookId), value: JSON.stringify(target) };
}

export function releaseTarget(accountId: string, webhookId: string): Mutation {
  return { type: "delete", key: keyOf(accountId, webhookId) };
}

/**
 * Says that the operator has disabled a webhook of the account with this URL. It may have been removed since: an owner must not lift the
 * decision with another webhook, for whatever event.
 *
 * @param exceptWebhookId the webhook that has or gets the URL
 */
export async function findTargetRefusal(
  store: Store,
  accountId: string,
  url: URL,
  exceptWebhookId?: string,
): Promise<string | undefined> {
  const prefix = keys.disabledTargets(accountId);
  for (const { key, value } of await store.list({ prefix, limit: maximumRead })) {
    const target: DisabledTarget = JSON.parse(value);
    const webhookId = key.at(-1);
    if (webhookId !== exceptWebhookId && isSameUrl(target.target_url, url))
      return `target_url: the operator has disabled this URL (webhook ${webhookId}). Reason: ${target.reason}`;
  }
  return undefined;
}

/** The account of a webhook that was removed while it was disabled. */
export async function findAccountOfDisabled(store: Store, webhookId: string): Promise<string | undefined> {
  for (const partition of partitions)
    for await (const entries of listPages(store, { prefix: keys.disabledTargetsIn(partition) }))
      for (const { key } of entries) if (key.at(-1) === webhookId) return String(key[2]);
  return undefined;
}

function keyOf(accountId: string, webhookId: string): Key {
  return [...keys.disabledTargets(accountId), webhookId];
}

/** `HTTPS://Example.com` and `https://example.com:443/#anything` are the same: a fragment is not sent (RFC 9110, section 7.1). */
export function isSameUrl(stored: string, url: URL): boolean {
  const known = URL.parse(stored);
  return known !== null && withoutFragment(known) === withoutFragment(url);
}

function withoutFragment({ href }: URL): string {
  return href.replace(/#.*$/u, "");
}
