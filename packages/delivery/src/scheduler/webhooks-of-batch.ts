import { countAttempt, moveWebhook } from "@hookwright/domain";
import type { Check, Mutation, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import type { LaneAddress } from "../rows/keys.ts";
import type { AttemptRow } from "../rows/delivery-row.ts";
import { parseWebhookHealth, parseWebhookRow } from "../rows/webhook-row.ts";
import type { WebhookHealthRow } from "../rows/webhook-row.ts";
import { toWebhookRemoval } from "../rows/webhook-removal.ts";
import type { Finished } from "./finished.ts";

/** The account's owner is told of these. */
export interface WebhookNotice {
  readonly type: "failing" | "switched_off";
  readonly accountId: string;
  readonly webhookId: string;
  readonly targetUrl: string;
  readonly consecutiveFailures: number;
  /** What the last of them came to, for people: `the endpoint answered 500`, `timeout: no answer within 10 s`. */
  readonly lastFailure: string;
}

/** The webhooks of one batch, with what its attempts do to them. */
export async function readWebhooks(
  store: Store,
  lanes: readonly LaneAddress[],
): Promise<Map<string, WebhookInBatch>> {
  const texts = await store.getMany(
    lanes.flatMap(({ accountId, event, webhookId }) => [
      keys.webhook(accountId, event, webhookId),
      keys.webhookHealth(accountId, webhookId),
      keys.webhookGuard(accountId),
    ]),
  );
  return new Map(
    lanes.map((lane, index) => [
      lane.webhookId,
      openWebhook(lane, { row: texts[index * 3], health: texts[index * 3 + 1], guard: texts[index * 3 + 2] }),
    ]),
  );
}

export interface WebhookInBatch {
  /** It was gone before, or one of these answers was 410. */
  readonly removed: boolean;
  readonly notices: WebhookNotice[];
  count(finished: Finished, now: number): void;
  checks(): Check[];
  mutations(): Mutation[];
}

interface WebhookTexts {
  readonly row: string | undefined;
  readonly health: string | undefined;
  readonly guard: string | undefined;
}

function openWebhook(lane: LaneAddress, texts: WebhookTexts): WebhookInBatch {
  const { accountId, event, webhookId } = lane;
  const rowKey = keys.webhook(accountId, event, webhookId);
  const healthKey = keys.webhookHealth(accountId, webhookId);
  const row = texts.row === undefined ? undefined : parseWebhookRow(texts.row);
  const notices: WebhookNotice[] = [];
  let health: WebhookHealthRow = parseWebhookHealth(texts.health);
  let status = row?.status;
  let gone = row === undefined;

  return {
    get removed() {
      return gone;
    },
    notices,
    count({ delivery, outcome }, now) {
      // A test has no counters, and what is removed has none any more.
      if (outcome.type !== "attempted" || row === undefined || gone) return;
      if (outcome.attempt.status === 410) {
        gone = moveWebhook(row.status, "gone").ok;
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
      const notice = {
        accountId,
        webhookId,
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
      return gone && row !== undefined
        ? [...same, { key: keys.webhookGuard(accountId), value: texts.guard }]
        : same;
    },
    mutations() {
      if (row === undefined) return [];
      if (gone) return toWebhookRemoval(lane, texts.guard);
      const changes: Mutation[] = [{ type: "set", key: healthKey, value: JSON.stringify(health) }];
      if (status !== undefined && status !== row.status) {
        changes.push({ type: "set", key: rowKey, value: JSON.stringify({ ...row, status }) });
      }
      return changes;
    },
  };
}

function describeFailure({ status, error, detail }: AttemptRow): string {
  if (status !== null) return `the endpoint answered ${status}`;
  return detail === null ? String(error) : `${error}: ${detail}`;
}
