import { findRemovedWebhook, listRemovedWebhooks } from "@hookwright/delivery";
import type { RemovedWebhookRow } from "@hookwright/delivery";
import { isHostId, toTimestamp } from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { noSuch } from "../lookups/no-such.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { Page, PageRequest } from "../use-cases.ts";

/** The removed webhooks of an account, newest first by their creation, as every list. */
export async function listRemovedPage(
  { store, cursors }: Pick<ServiceContext, "store" | "cursors">,
  accountId: string,
  page: PageRequest,
): Promise<Page<ConsoleWebhook>> {
  const cursor = openCursor(cursors, {
    accountId,
    list: "webhooks",
    filters: { status: "removed" },
    page,
  });
  const [lastSeen] = cursor.position ?? [];
  const before = typeof lastSeen === "string" ? lastSeen : undefined;
  const found = await listRemovedWebhooks(store, accountId, { before, limit: page.limit + 1 });
  const rows = found.slice(0, page.limit);
  const last = rows.at(-1);
  const more = found.length > rows.length && last !== undefined;
  return {
    rows: rows.map(toRemovedWebhook),
    meta: { has_more: more, next_cursor: more ? cursor.seal([last.id]) : null },
  };
}

/** @throws HookwrightError `resource_not_found` */
export async function expectRemovedWebhook(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<ConsoleWebhook> {
  const row = isHostId(webhookId) ? await findRemovedWebhook(store, accountId, webhookId) : undefined;
  if (row === undefined) throw noSuch("webhook");
  return toRemovedWebhook(row);
}

/** Its secrets and headers were deleted with it. What it missed cannot be sent any more. */
export function toRemovedWebhook(row: RemovedWebhookRow): ConsoleWebhook {
  const { type, key_id, name } = row.created_by;
  const removedAt = toTimestamp(row.removed_at);
  return {
    id: row.id,
    event: row.event,
    target_url: row.target_url,
    project_id: row.project_id,
    status: "removed",
    consecutive_failures: row.consecutive_failures,
    last_success_at: toTimestampOrNull(row.last_success_at),
    last_failure_at: toTimestampOrNull(row.last_failure_at),
    created_at: toTimestamp(row.created_at),
    name: row.name ?? null,
    rotating: false,
    headers: [],
    created_by: { type, key_id, name },
    status_changed_at: removedAt,
    status_reason: row.reason,
    status_detail: row.disabled?.reason ?? null,
    missed: null,
    removed_at: removedAt,
    backoff_until: null,
  };
}
