import { findWebhook, replaceRow } from "@hookwright/delivery";
import type { Stored, WebhookRow } from "@hookwright/delivery";
import { HookwrightError } from "@hookwright/domain";
import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import type { AuditedChange } from "../../audit/commit-audited.ts";
import type { ResendRow } from "../../rows/resend-row.ts";
import { prepareChange } from "../../webhooks/change-webhook.ts";

/**
 * Whether a job may send to a webhook. A job that turned the webhook on loses it when the webhook stops again, even if it is active by
 * now. The next job with `turn_on` sends the rest.
 */
export function isSending({ turned_on, created_at }: ResendRow, { row }: Stored<WebhookRow>): boolean {
  if (row.status !== "active") return false;
  return turned_on === undefined || (row.status_changed_at ?? 0) <= created_at;
}

/** The webhook of a part that has ended. */
export function toRecovered({ id }: ResendRow, webhook: Stored<WebhookRow>): readonly Mutation[] {
  const { unrecovered, ...row } = webhook.row;
  return unrecovered?.job_id === id ? replaceRow(webhook, row).mutations : [];
}

export interface PreparedTurnOn {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  readonly notify: readonly Key[];
  readonly audited: readonly AuditedChange[];
  readonly webhooks: readonly WebhookRow[];
}

/**
 * What turns webhooks on, or resumes them, all in one commit. Those that are active or removed meanwhile stay as they are.
 *
 * @throws HookwrightError `invalid_state` if the operator has disabled one
 */
export async function prepareTurnOn(
  store: Store,
  accountId: string,
  { id: jobId, parts }: ResendRow,
  now: number,
): Promise<PreparedTurnOn> {
  const prepared = await Promise.all(
    parts.map(async ({ webhook_id: id, ended_since: since = now }) => {
      const webhook = await findWebhook(store, accountId, id);
      if (webhook === undefined || webhook.row.status === "active") return [];
      const action = webhook.row.status === "paused" ? "resume" : "turn_on";
      const change = await prepareChange(
        store,
        accountId,
        webhook,
        { action, unrecovered: { job_id: jobId, since } },
        now,
      );
      if (change.ok) return [change];
      throw new HookwrightError("invalid_state", `filter.webhook_ids: ${id}: ${change.reason}`);
    }),
  );
  const changes = prepared.flat();
  return {
    checks: changes.flatMap(({ commit }) => commit.checks),
    mutations: changes.flatMap(({ commit }) => commit.mutations),
    notify: changes.flatMap(({ commit }) => commit.notify),
    audited: changes.map(({ audited }) => audited),
    webhooks: changes.map(({ after }) => after),
  };
}
