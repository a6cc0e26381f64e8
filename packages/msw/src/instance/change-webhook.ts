import { findWebhook, readSigningSecrets, replaceRow } from "@hookwright/delivery";
import type { CommitPart } from "@hookwright/delivery";
import { HookwrightError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { WebhookChange } from "../seed.ts";
import type { Instance } from "./instance.ts";

/**
 * Changes what neither the owner nor the host can set: the status after failures, and the secret.
 *
 * @throws HookwrightError `resource_not_found`
 */
export async function changeWebhook(
  { accountId, store, signing }: Instance,
  id: string,
  { status, signing_secret: secret }: WebhookChange & { readonly signing_secret?: string | null | undefined },
): Promise<void> {
  const commit = ({ checks, mutations }: CommitPart) =>
    store.commit(partitionOf(accountId), { checks, mutations });
  const webhook = await findWebhook(store, accountId, id);
  const [secrets] = await readSigningSecrets(store, accountId, [id]);
  if (webhook === undefined || secrets === undefined)
    throw new HookwrightError("resource_not_found", "No such webhook on this account.");
  if (status !== undefined) await commit(replaceRow(webhook, { ...webhook.row, status }));
  if (secret?.trim())
    await commit(replaceRow(secrets, { ...secrets.row, current: await signing.seal(secret, id) }));
}
