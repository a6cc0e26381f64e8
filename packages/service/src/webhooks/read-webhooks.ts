import { readWebhookHealth } from "@hookwright/delivery";
import type { WebhookHealthRow, WebhookRow } from "@hookwright/delivery";
import { toTimestamp } from "@hookwright/domain";
import type { Webhook } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";

/** Webhooks as the API shows them, with the counters of the worker. */
export async function readWebhooks(
  store: Store,
  accountId: string,
  rows: readonly WebhookRow[],
): Promise<Webhook[]> {
  const health = await readWebhookHealth(
    store,
    accountId,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row, index) => {
    const counters = health[index];
    return counters === undefined ? [] : [toWebhook(row, counters)];
  });
}

export function toWebhook(row: WebhookRow, health: WebhookHealthRow): Webhook {
  return {
    id: row.id,
    event: row.event,
    target_url: row.target_url,
    project_id: row.project_id,
    // The public API has three statuses (contract: Webhooks).
    status: row.status === "disabled_by_host" ? "switched_off" : row.status,
    consecutive_failures: health.consecutive_failures,
    last_success_at: toTimestampOrNull(health.last_success_at),
    last_failure_at: toTimestampOrNull(health.last_failure_at),
    created_at: toTimestamp(row.created_at),
  };
}
