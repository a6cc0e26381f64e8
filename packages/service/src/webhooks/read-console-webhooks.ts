import { readSigningSecrets, readWebhookHealth } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { maximumMissed } from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { countMissed } from "../recoveries/missed-events.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { toWebhook } from "./read-webhooks.ts";

/**
 * Webhooks as the console shows them: with their creator, their back-off, and whether a rotation is in progress. What a webhook that is
 * not active has missed is not counted, because fifty webhooks may have missed millions of events.
 */
export async function readConsoleWebhooks(
  store: Store,
  accountId: string,
  rows: readonly WebhookRow[],
): Promise<ConsoleWebhook[]> {
  const ids = rows.map(({ id }) => id);
  const [healths, secrets] = await Promise.all([
    readWebhookHealth(store, accountId, ids),
    readSigningSecrets(store, accountId, ids),
  ]);
  return rows.flatMap((row, index) => {
    const health = healths[index];
    if (health === undefined) return [];
    const { type, key_id, name } = row.created_by;
    const pending = secrets[index]?.row.pending ?? null;
    return [
      {
        ...toWebhook(row, health),
        status: row.status,
        name: row.name ?? null,
        rotating: pending !== null,
        headers: [...(secrets[index]?.row.headers?.names ?? [])],
        created_by: { type, key_id, name },
        status_changed_at: toTimestampOrNull(row.status_changed_at ?? null),
        status_reason: statusReasons[row.status],
        status_detail: row.disabled?.reason ?? null,
        removed_at: null,
        missed: row.status === "active" ? 0 : null,
        backoff_until: toTimestampOrNull(health.backoff_until ?? null),
      },
    ];
  });
}

/** Only a person pauses a webhook, and only failures switch it off. */
const statusReasons = {
  active: null,
  paused: "person",
  switched_off: "failures",
  disabled_by_host: "host",
} as const;

/** One webhook, with what it has missed. */
export async function readConsoleWebhook(
  store: Store,
  accountId: string,
  row: WebhookRow,
): Promise<ConsoleWebhook> {
  const [[webhook], missed] = await Promise.all([
    readConsoleWebhooks(store, accountId, [row]),
    readMissed(store, accountId, row),
  ]);
  if (webhook === undefined) throw new Error("one row gives one webhook");
  return { ...webhook, missed };
}

/** Null if it is unknown since when: earlier versions did not store it. */
async function readMissed(
  store: Store,
  accountId: string,
  { id, status, status_changed_at: since }: WebhookRow,
): Promise<number | null> {
  if (status === "active") return 0;
  if (since === undefined) return null;
  return countMissed(store, { accountId, webhookId: id, since, limit: maximumMissed });
}
