import type { EndedPosition } from "@hookwright/delivery";
import { toTimestamp } from "@hookwright/domain";
import type { RecoveredStatus, Recovery } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";
import type { MissedPosition } from "./missed-events.ts";
import { toTimestampOrNull } from "./to-timestamp-or-null.ts";

/**
 * Where a recovery stands: first in the log, then in the missed events. `after` is undefined at the beginning of each. The log is
 * read event by event: first that of the row, without an `event` here.
 */
export type RecoveryPosition =
  | { readonly list: "log"; readonly event?: string | undefined; readonly after?: EndedPosition | undefined }
  | { readonly list: "missed"; readonly after?: MissedPosition | undefined }
  | { readonly list: "end" };

/** A stored recovery. Times are milliseconds since the epoch. */
export interface RecoveryRow {
  readonly id: string;
  readonly webhook_id: string;
  /** Of the webhook's key, see `WebhookRow.event`. */
  readonly event: string;
  /** The webhook's site when the recovery started. Null: every site. */
  readonly project_id: string | null;
  readonly since: number;
  /** Not after `created_at`. */
  readonly until: number;
  readonly statuses: readonly RecoveredStatus[];
  readonly missed: boolean;
  readonly status: Recovery["status"];
  readonly found: number;
  readonly resent: number;
  readonly created_at: number;
  readonly finished_at: number | null;
  /** It counts all matches first, then it sends them. */
  readonly stage: "count" | "send";
  readonly position: RecoveryPosition;
}

/** How long an ended recovery can be read. */
export const recoveryLifetimeMs = 30 * 24 * 60 * 60 * 1_000;

export function parseRecoveryRow(text: string): RecoveryRow {
  return JSON.parse(text);
}

export function toRecovery(row: RecoveryRow): Recovery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    since: toTimestamp(row.since),
    until: toTimestamp(row.until),
    statuses: [...row.statuses],
    missed: row.missed,
    status: row.status,
    found: row.found,
    resent: row.resent,
    created_at: toTimestamp(row.created_at),
    finished_at: toTimestampOrNull(row.finished_at),
  };
}

/** Writes a recovery. An ended one expires, and another may start. */
export function toRecoveryMutations(accountId: string, row: RecoveryRow): Mutation[] {
  const key = keys.recovery(accountId, row.id);
  const value = JSON.stringify(row);
  if (row.status === "running") return [{ type: "set", key, value }];
  const expiresInMs = recoveryLifetimeMs;
  return [
    { type: "set", key, value, expiresInMs },
    { type: "set", key: keys.recoveryOfWebhook(accountId, row.webhook_id, row.id), value: "", expiresInMs },
    { type: "delete", key: runningKeyOf(accountId, row) },
  ];
}

export function runningKeyOf(
  accountId: string,
  { event, webhook_id: webhookId }: Pick<RecoveryRow, "event" | "webhook_id">,
): Key {
  return keys.recoveryRunning(accountId, event, webhookId);
}

export function endRecovery(row: RecoveryRow, status: "finished" | "stopped", now: number): RecoveryRow {
  return { ...row, status, finished_at: now };
}
