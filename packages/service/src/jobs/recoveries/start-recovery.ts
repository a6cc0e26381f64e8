import type { CommitPart, WebhookRow } from "@hookwright/delivery";
import type { Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import { runningKeyOf, toRecoveryMutations } from "../../rows/recovery-row.ts";
import type { RecoveryRow } from "../../rows/recovery-row.ts";

/** The recoveries of a webhook that are kept. */
const maximumKept = 100;

/** What a recovery sends. Times are milliseconds since the epoch. */
export type RecoveryRange = Pick<RecoveryRow, "since" | "until" | "statuses" | "missed">;

/** A recovery that has counted nothing yet. */
export function newRecovery(
  webhook: Pick<WebhookRow, "id" | "event" | "project_id">,
  range: RecoveryRange,
  { id, now }: { readonly id: string; readonly now: number },
): RecoveryRow {
  return {
    id,
    webhook_id: webhook.id,
    event: webhook.event,
    project_id: webhook.project_id,
    ...range,
    status: "running",
    found: 0,
    resent: 0,
    created_at: now,
    finished_at: null,
    stage: "count",
    position: { list: "log" },
  };
}

/** The rows that start a recovery. The commit fails if another one of the webhook runs. */
export async function toRecoveryStart(
  store: Store,
  accountId: string,
  recovery: RecoveryRow,
): Promise<CommitPart & { readonly notify: readonly Key[] }> {
  const runningKey = runningKeyOf(accountId, recovery);
  const { webhook_id: webhookId, id } = recovery;
  return {
    checks: [{ key: runningKey, value: undefined }],
    mutations: [
      ...toRecoveryMutations(accountId, recovery),
      { type: "set", key: keys.recoveryOfWebhook(accountId, webhookId, id), value: "" },
      { type: "set", key: runningKey, value: id },
      ...(await removeOldest(store, accountId, webhookId)),
    ],
    notify: [runningKey],
  };
}

/** Removes the oldest recoveries of a webhook, so that there is space for one more. */
async function removeOldest(store: Store, accountId: string, webhookId: string): Promise<Mutation[]> {
  const entries = await store.list({
    prefix: keys.recoveriesOfWebhook(accountId, webhookId),
    limit: 2 * maximumKept,
    reverse: true,
  });
  return entries
    .slice(maximumKept - 1)
    .flatMap(({ key }) => [key, keys.recovery(accountId, String(key.at(-1)))])
    .map((key) => ({ type: "delete", key }));
}
