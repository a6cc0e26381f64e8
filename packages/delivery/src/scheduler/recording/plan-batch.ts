import type { Check, Mutation } from "@hookwright/storage";
import type { DeliveryRow } from "../../rows/delivery-row.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import type { Finished } from "../turns/finished.ts";
import type { WebhookTexts } from "./known-webhooks.ts";
import { settleInto } from "./settle.ts";
import { openWebhook } from "./webhook-in-batch.ts";
import type { WebhookInBatch, WebhookNotice } from "./webhook-in-batch.ts";

export interface Recorded {
  readonly finished: Finished;
  readonly delivery: DeliveryRow;
}

/** What is told of a batch once it is durable. */
export interface Announcement {
  readonly recorded: readonly Recorded[];
  readonly notices: readonly WebhookNotice[];
}

/** What a batch of turns comes to. */
export interface BatchPlan {
  /** That its webhooks are still as they were read. */
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** The rows of its webhooks as the commit leaves them. */
  readonly left: readonly { readonly webhookId: string; readonly texts: WebhookTexts }[];
  readonly announcement: Announcement;
  /** The webhooks whose counters could not be read. */
  readonly unreadable: readonly { readonly lane: LaneAddress; readonly error: Error }[];
}

export interface PlanBatchOptions {
  /** Those of the batch's webhooks that attempts were made at. */
  readonly lanes: readonly LaneAddress[];
  /** The rows of each of them, as they were read. */
  readonly texts: readonly WebhookTexts[];
  readonly now: number;
  readonly retryDelaysSeconds: readonly number[];
  readonly random: () => number;
}

/** The webhooks whose rows a batch changes: what is cancelled was sent to none. */
export function attemptedLanes(batch: readonly Finished[]): LaneAddress[] {
  const lanes = new Map<string, LaneAddress>();
  for (const { lane, outcome } of batch) if (outcome.type === "attempted") lanes.set(lane.webhookId, lane);
  return [...lanes.values()];
}

/**
 * Puts together what makes a batch durable: every delivery as it is after its turn, and each webhook's counters once for all its
 * attempts, which count in the order in which they ended. Pure: the caller commits.
 */
export function planBatch(batch: readonly Finished[], options: PlanBatchOptions): BatchPlan {
  const { lanes, texts, now, retryDelaysSeconds, random } = options;
  const webhooks = new Map<string, WebhookInBatch>();
  lanes.forEach((lane, index) => {
    const its = texts[index];
    if (its !== undefined) webhooks.set(lane.webhookId, openWebhook(lane, its));
  });
  const checks: Check[] = [];
  const mutations: Mutation[] = [];
  const recorded: Recorded[] = [];
  for (const finished of batch) {
    const webhook = webhooks.get(finished.lane.webhookId);
    webhook?.count(finished, now);
    const webhookRemoved = webhook?.removed ?? false;
    const delivery = settleInto(mutations, finished, { retryDelaysSeconds, random, webhookRemoved });
    recorded.push({ finished, delivery });
  }
  const left: { webhookId: string; texts: WebhookTexts }[] = [];
  for (const webhook of webhooks.values()) {
    checks.push(...webhook.checks());
    const changes = webhook.changes();
    mutations.push(...changes.mutations);
    left.push({ webhookId: webhook.lane.webhookId, texts: changes.texts });
  }
  const notices = [...webhooks.values()].flatMap((webhook) => webhook.notices);
  const unreadable = [...webhooks.values()].flatMap(({ lane, fault }) =>
    fault === undefined ? [] : [{ lane, error: fault }],
  );
  return { checks, mutations, left, announcement: { recorded, notices }, unreadable };
}
