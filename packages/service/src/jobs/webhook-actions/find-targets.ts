import { readAllWebhooks } from "@hookwright/delivery";
import type { WebhookOfAccount, WebhookRow } from "@hookwright/delivery";
import { moveWebhook, parseTimestamp } from "@hookwright/domain";
import type { KeyPart, Store } from "@hookwright/storage";
import type { WebhookActionRow } from "../../rows/webhook-action-row.ts";
import { inputOf } from "../../webhooks/change-webhook.ts";
import type { WebhookChange } from "../../webhooks/change-webhook.ts";
import { scan } from "../../store/scan.ts";
import type { Scan } from "../../store/scan.ts";

type Asked = Pick<WebhookActionRow, "action" | "filter" | "reason" | "created_at" | "position">;

/** The next webhooks that an action changes, in the order of all webhooks. A page may have none although another follows. */
export async function findTargets(
  store: Store,
  asked: Asked,
  limits: Pick<Scan<unknown>, "limit" | "maximum">,
): Promise<{ readonly targets: readonly WebhookOfAccount[]; readonly next: readonly KeyPart[] | null }> {
  const { found, next = null } = await scan(readAllWebhooks(store, asked.position ?? undefined), {
    ...limits,
    positionOf: ({ position }) => position,
    matches: (webhook) => isTarget(asked, webhook),
  });
  return { targets: found, next };
}

/** Whether the filter matches a webhook, and its status allows the action. What changed after the start does not match. */
export function isTarget(
  asked: Asked,
  { accountId, row }: { readonly accountId: string; readonly row: WebhookRow },
): boolean {
  const { account_ids, status, status_changed_since, status_changed_until, target_host } = asked.filter;
  const changedAt = row.status_changed_at;
  if (Math.max(row.created_at, changedAt ?? 0) > asked.created_at) return false;
  if (account_ids !== undefined && !account_ids.includes(accountId)) return false;
  if (status !== undefined && row.status !== status) return false;
  if (!isBetween(changedAt, status_changed_since, status_changed_until)) return false;
  if (target_host !== undefined && !hasHost(row.target_url, target_host)) return false;
  return moveWebhook(row.status, inputOf(row, changeOf(asked))).ok;
}

/** A webhook whose status never changed is in no range. */
function isBetween(at: number | undefined, since: string | undefined, until: string | undefined): boolean {
  if (since === undefined && until === undefined) return true;
  if (at === undefined) return false;
  if (since !== undefined && at < parseTimestamp(since)) return false;
  return until === undefined || at < parseTimestamp(until);
}

function hasHost(targetUrl: string, wanted: string): boolean {
  const url = URL.parse(targetUrl);
  const host = wanted.trim().toLowerCase();
  return url !== null && (url.hostname === host || url.host === host);
}

/** What an action does to each webhook. */
export function changeOf({ action, reason }: Pick<WebhookActionRow, "action" | "reason">): WebhookChange {
  if (action === "disable") return { action, reason: reason ?? "" };
  return { action: action === "turn-on" ? "turn_on" : action };
}
