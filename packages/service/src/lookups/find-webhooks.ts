import {
  eventsOf,
  findAccountOfWebhook,
  findRemovedWebhook,
  findWebhook,
  listWebhooks,
} from "@hookwright/delivery";
import type { Stored, WebhookRow } from "@hookwright/delivery";
import { hasRight, HookwrightError, isHostId, maximumWebhooks } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { Developer } from "../use-cases.ts";
import { findAccountOfDisabled, isSameUrl } from "./disabled-targets.ts";
import { noSuch } from "./no-such.ts";

/** All webhooks of an account, newest first. */
export async function listNewestWebhooks(store: Store, accountId: string): Promise<WebhookRow[]> {
  const webhooks = await listWebhooks(store, accountId, { limit: maximumWebhooks });
  // Ids are ordered by time.
  return webhooks.sort((left, right) => (left.id < right.id ? 1 : -1));
}

/** The webhook with exactly these events and this URL, whatever its site. */
export function findSame(
  webhooks: readonly WebhookRow[],
  events: readonly string[],
  url: URL,
): WebhookRow | undefined {
  return webhooks.find(
    (webhook) => eventsOf(webhook).join(" ") === events.join(" ") && isSameUrl(webhook.target_url, url),
  );
}

/**
 * When a stopped webhook began to miss events, in milliseconds since the epoch: when it stopped, or earlier, if the last job that turned
 * it on has not sent everything. Undefined: unknown, or it is active.
 */
export function stoppedSince({ status, status_changed_at: at, unrecovered }: WebhookRow): number | undefined {
  return status === "active" || at === undefined ? undefined : Math.min(at, unrecovered?.since ?? at);
}

/** The `ended_since` of a job. Rounded down, because the delivery whose last failure switched the webhook off ended just before. */
export function toEndedSince(webhook: WebhookRow): number | undefined {
  const since = stoppedSince(webhook);
  return since === undefined ? undefined : Math.floor(since / 1_000) * 1_000;
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
 * Checks that there is a webhook, or that it was removed in the last 30 days.
 *
 * @returns it, unless it was removed
 * @throws HookwrightError `resource_not_found`
 */
export async function expectKnownWebhook(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<Stored<WebhookRow> | undefined> {
  const webhook = isHostId(webhookId) ? await findWebhook(store, accountId, webhookId) : undefined;
  if (webhook !== undefined) return webhook;
  if (!isHostId(webhookId) || (await findRemovedWebhook(store, accountId, webhookId)) === undefined)
    throw noSuch("webhook");
  return undefined;
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
  const webhook = await expectKnownWebhook(store, accountId, webhookId);
  if (webhook !== undefined) return webhook;
  throw new HookwrightError(
    "invalid_state",
    "The webhook was removed, so it cannot be changed or tested. Create a new one.",
  );
}

/**
 * Throws unless a webhook is active. Applies to resends and recoveries.
 *
 * @throws HookwrightError `invalid_state`
 */
export function expectActive({ status, disabled }: WebhookRow): void {
  if (status === "active") return;
  throw new HookwrightError(
    "invalid_state",
    {
      paused: "A webhook that is paused sends nothing again. Resume it first.",
      switched_off: "A webhook that is disabled sends nothing again. Turn it on first.",
      disabled_by_host: `The operator has disabled this webhook, so it sends nothing. Reason: ${disabled?.reason}`,
    }[status],
  );
}

/**
 * Finds the account of a webhook, also of one that was removed while the operator had disabled it. It may read the webhooks of many
 * accounts.
 *
 * @throws HookwrightError `resource_not_found`
 */
export async function expectAccountOf(store: Store, webhookId: string): Promise<string> {
  if (!isHostId(webhookId)) throw noSuch("webhook", "server");
  const accountId =
    (await findAccountOfWebhook(store, webhookId)) ?? (await findAccountOfDisabled(store, webhookId));
  if (accountId === undefined) throw noSuch("webhook", "server");
  return accountId;
}

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

/** Whether a caller sees a webhook. A key of one site sees only those of its site. Without the right to read, a key sees only those that it created. */
export function seesWebhook(
  caller: Developer,
  { project_id: projectId, created_by: creator }: Pick<WebhookRow, "project_id" | "created_by">,
): boolean {
  if (caller.projectId !== undefined && projectId !== caller.projectId) return false;
  return maySee(caller, creator) || hasRight(caller.rights ?? [], "read");
}

/** Whether a caller may use a webhook in the developer API: a key only those that it created. */
export function ownsWebhook(caller: Developer, webhook: WebhookRow): boolean {
  return maySee(caller, webhook.created_by) && seesWebhook(caller, webhook);
}

/** The webhooks that a key created. Undefined for a console token, which sees every webhook, removed ones included. */
export async function listOwnWebhooks(
  store: Store,
  developer: Developer,
): Promise<readonly WebhookRow[] | undefined> {
  if (developer.credential.type === "console") return undefined;
  const webhooks = await listNewestWebhooks(store, developer.accountId);
  return webhooks.filter((webhook) => ownsWebhook(developer, webhook));
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
