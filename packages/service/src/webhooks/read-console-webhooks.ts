import { keys } from "@hookwright/delivery";
import type { SigningSecretRow, WebhookRow } from "@hookwright/delivery";
import type { ConsoleWebhook } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { readWebhooks } from "./read-webhooks.ts";

/** Webhooks as the console shows them: with who made them, and whether a new secret waits. */
export async function readConsoleWebhooks(
  store: Store,
  accountId: string,
  rows: readonly WebhookRow[],
): Promise<ConsoleWebhook[]> {
  const [webhooks, secrets] = await Promise.all([
    readWebhooks(store, accountId, rows),
    store.getMany(rows.map(({ id }) => keys.signingSecret(accountId, id))),
  ]);
  return webhooks.flatMap((webhook, index) => {
    const row = rows[index];
    if (row === undefined) return [];
    const { type, key_id, name } = row.created_by;
    return [{ ...webhook, rotating: isRotating(secrets[index]), created_by: { type, key_id, name } }];
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

function isRotating(text: string | undefined): boolean {
  if (text === undefined) return false;
  const { pending }: SigningSecretRow = JSON.parse(text);
  return pending !== null;
}
