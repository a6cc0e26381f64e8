import { findWebhook } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { HookwrightError } from "@hookwright/domain";
import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import type { AuditedChange } from "../../audit/commit-audited.ts";
import { prepareChange } from "../../webhooks/change-webhook.ts";

/** Since when a webhook has accepted nothing, in milliseconds since the epoch. Undefined: unknown, or it is active. */
export function stoppedAt({ status, status_changed_at: at }: WebhookRow): number | undefined {
  // The delivery whose last failure switched it off ended just before.
  return status === "active" || at === undefined ? undefined : Math.floor(at / 1_000) * 1_000;
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
  webhookIds: readonly string[],
  now: number,
): Promise<PreparedTurnOn> {
  const prepared = await Promise.all(
    webhookIds.map(async (id) => {
      const webhook = await findWebhook(store, accountId, id);
      if (webhook === undefined || webhook.row.status === "active") return [];
      const action = webhook.row.status === "paused" ? "resume" : "turn_on";
      const change = await prepareChange(store, accountId, webhook, { action }, now);
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
