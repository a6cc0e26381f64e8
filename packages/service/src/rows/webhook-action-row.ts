import { toTimestamp } from "@hookwright/domain";
import type { WebhookAction, WebhookActionFilter, WebhookActionName } from "@hookwright/domain";
import type { KeyPart, Mutation } from "@hookwright/storage";
import type { ChangeOrigin } from "../use-cases.ts";
import { keys } from "./keys.ts";
import { toTimestampOrNull } from "./to-timestamp-or-null.ts";

/** A stored action on many webhooks. Times are milliseconds since the epoch. */
export interface WebhookActionRow {
  readonly id: string;
  readonly action: WebhookActionName;
  readonly filter: WebhookActionFilter;
  readonly recover: boolean;
  readonly reason: string | null;
  /** Who started it, for the audit log. Null: a function call of the embedding program. */
  readonly origin: ChangeOrigin | null;
  readonly status: WebhookAction["status"];
  readonly found: number;
  readonly changed: number;
  readonly skipped: number;
  readonly recoveries: number;
  readonly created_at: number;
  readonly finished_at: number | null;
  /** It counts all matches first, then it changes them. */
  readonly stage: "count" | "change";
  /** The last webhook that was read. Null at the beginning of each stage. */
  readonly position: readonly KeyPart[] | null;
}

/** How long an ended job can be read. */
const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;

export function parseWebhookActionRow(text: string): WebhookActionRow {
  return JSON.parse(text);
}

export function toWebhookAction({
  origin: _origin,
  stage: _stage,
  position: _position,
  created_at,
  finished_at,
  ...row
}: WebhookActionRow): WebhookAction {
  return { ...row, created_at: toTimestamp(created_at), finished_at: toTimestampOrNull(finished_at) };
}

/** Writes a job. An ended one expires. */
export function toWebhookActionMutations(row: WebhookActionRow): Mutation[] {
  const key = keys.webhookAction(row.id);
  const value = JSON.stringify(row);
  if (row.status === "running") return [{ type: "set", key, value }];
  return [
    { type: "set", key, value, expiresInMs: lifetimeMs },
    { type: "delete", key: keys.webhookActionRunning(row.id) },
  ];
}
