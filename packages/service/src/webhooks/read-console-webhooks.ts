import { readSigningSecrets, readWebhookHealth } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { toWebhook } from "./read-webhooks.ts";

/** Webhooks as the console shows them: with their creator, their back-off, and whether a rotation is in progress. */
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
        name: row.name ?? null,
        rotating: pending !== null,
        headers: [...(secrets[index]?.row.headers?.names ?? [])],
        created_by: { type, key_id, name },
        backoff_until: toTimestampOrNull(health.backoff_until ?? null),
      },
    ];
  });
}

export async function readConsoleWebhook(
  store: Store,
  accountId: string,
  row: WebhookRow,
): Promise<ConsoleWebhook> {
  const [webhook] = await readConsoleWebhooks(store, accountId, [row]);
  if (webhook === undefined) throw new Error("one row gives one webhook");
  return webhook;
}
