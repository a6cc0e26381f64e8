import { countAttempt, moveWebhook } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import type { Check, Mutation } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import type { AttemptRow } from "../../rows/delivery-row.ts";
import { parseWebhookHealth, parseWebhookRow, unknownHealth } from "../../rows/webhook-row.ts";
import { nextGuard, toWebhookRemoval } from "../../rows/webhook-removal.ts";
import type { Finished } from "../turns/finished.ts";
import type { Writable } from "../../writable.ts";
import type { WebhookTexts } from "./known-webhooks.ts";

/** The account's owner is told of these. */
export interface WebhookNotice {
  readonly type: "failing" | "switched_off";
  readonly accountId: string;
  readonly webhookId: string;
  readonly event: EventName;
  readonly targetUrl: string;
  readonly consecutiveFailures: number;
  /** Why the last of them failed, in sentences: `The endpoint answered 500.` */
  readonly lastFailure: string;
}

/** One of the webhooks of a batch, with what its attempts do to it. */
export interface WebhookInBatch {
  readonly lane: LaneAddress;
  /** It was gone before, or one of these answers was 410. */
  readonly removed: boolean;
  readonly notices: WebhookNotice[];
  /** Its counters could not be read. They begin anew, for others wait for the same commit. */
  readonly fault: Error | undefined;
  count(finished: Finished, now: number): void;
  checks(): Check[];
  /** What the commit writes of it, and its rows once that is written. */
  changes(): { readonly mutations: readonly Mutation[]; readonly texts: WebhookTexts };
}

export function openWebhook(lane: LaneAddress, texts: WebhookTexts): WebhookInBatch {
  const { accountId, event, webhookId } = lane;
  const rowKey = keys.webhook(accountId, event, webhookId);
  const healthKey = keys.webhookHealth(accountId, webhookId);
  const row = texts.row === undefined ? undefined : parseWebhookRow(texts.row);
  const notices: WebhookNotice[] = [];
  let health = unknownHealth;
  let fault: Error | undefined;
  try {
    health = parseWebhookHealth(texts.health);
  } catch (cause) {
    fault = new Error(`the counters of webhook ${webhookId} cannot be read, and begin anew`, { cause });
  }
  let status = row?.status;
  const webhook: Writable<WebhookInBatch> = {
    lane,
    removed: row === undefined,
    notices,
    fault,
    count({ delivery, outcome }, now) {
      // A test has no counters, and what is removed has none any more.
      if (outcome.type !== "attempted" || row === undefined || webhook.removed) return;
      if (outcome.attempt.status === 410) {
        webhook.removed = moveWebhook(row.status, "gone").ok;
        return;
      }
      if (delivery.kind === "test") return;
      const accepted = outcome.attempt.error === null;
      const counted = countAttempt(
        { consecutiveFailures: health.consecutive_failures, lastWarningAt: health.last_warning_at },
        { accepted, now },
      );
      health = {
        consecutive_failures: counted.consecutiveFailures,
        last_warning_at: counted.lastWarningAt,
        last_success_at: accepted ? now : health.last_success_at,
        last_failure_at: accepted ? health.last_failure_at : now,
      };
      if (counted.action === "none") return;
      const notice = {
        accountId,
        webhookId,
        event,
        targetUrl: row.target_url,
        consecutiveFailures: health.consecutive_failures,
        lastFailure: describeFailure(outcome.attempt),
      };
      if (counted.action === "warn") notices.push({ type: "failing", ...notice });
      if (counted.action !== "switch_off" || status === undefined) return;
      const moved = moveWebhook(status, "switch_off");
      if (!moved.ok || moved.state !== "switched_off") return;
      status = moved.state;
      notices.push({ type: "switched_off", ...notice });
    },
    checks() {
      const same: Check[] = [
        { key: rowKey, value: texts.row },
        { key: healthKey, value: texts.health },
      ];
      return webhook.removed && row !== undefined
        ? [...same, { key: keys.webhookGuard(accountId), value: texts.guard }]
        : same;
    },
    changes() {
      if (row === undefined) return { mutations: [], texts };
      if (webhook.removed) {
        const left = { row: undefined, health: undefined, guard: nextGuard(texts.guard) };
        return { mutations: toWebhookRemoval(lane, texts.guard), texts: left };
      }
      const healthText = JSON.stringify(health);
      const mutations: Mutation[] = [{ type: "set", key: healthKey, value: healthText }];
      if (status === undefined || status === row.status)
        return { mutations, texts: { ...texts, health: healthText } };
      const rowText = JSON.stringify({ ...row, status });
      mutations.push({ type: "set", key: rowKey, value: rowText });
      return { mutations, texts: { ...texts, row: rowText, health: healthText } };
    },
  };
  return webhook;
}

/** A transport of the host's own may give no detail. */
function describeFailure({ status, error, detail }: AttemptRow): string {
  return detail ?? (status === null ? String(error) : `The endpoint answered ${status}.`);
}
