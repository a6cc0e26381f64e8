import { countAttempt, moveDelivery, moveWebhook, parseRetryAfter, retryDelayMs } from "@hookwright/domain";
import type { AccountDelivery, SwitchOffAfter } from "@hookwright/domain";
import type { Check, Key, Mutation } from "@hookwright/storage";
import type { WebhookTexts } from "./endpoint.ts";
import { logKeyOf } from "../log/delivery-log.ts";
import { addressOf } from "../enqueue.ts";
import { renderDeliveryRow } from "../storage/delivery-codec.ts";
import { isCountedKind, isGone, withoutBody } from "../storage/delivery-row.ts";
import { renderLogValue } from "../storage/log-value.ts";
import { eventsOf, initialHealth, parseWebhookHealth, parseWebhookRow } from "../storage/webhook-row.ts";
import type { AttemptRow, CancelReason, DeliveryRow } from "../storage/delivery-row.ts";
import type { WebhookHealthRow } from "../storage/webhook-row.ts";
import { keys } from "../storage/keys.ts";
import { headerValue } from "../transport/answer.ts";
import type { EndpointAddress } from "../storage/keys.ts";
import { toRemoval } from "../webhooks/removed-webhooks.ts";
import { describeFailure, toGoneNotice } from "../webhooks/webhook-notice.ts";
import type { WebhookNotice } from "../webhooks/webhook-notice.ts";
import type { WebhookGuard } from "../webhooks/webhook-store.ts";

/** Where the store holds a queued delivery. */
export type QueuePlace = { readonly type: "new" } | { readonly type: "retry"; readonly dueAt: number };

export type Outcome =
  | {
      readonly type: "attempted";
      readonly attempt: AttemptRow;
      /** The account's own rules. @default those of the worker */
      readonly rules?: AccountDelivery | undefined;
    }
  | { readonly type: "cancelled"; readonly reason: CancelReason };

/** The result of one attempt, or of a delivery that was cancelled instead. */
export interface Result {
  readonly address: EndpointAddress;
  readonly place: QueuePlace;
  readonly delivery: DeliveryRow;
  /** When the attempt ended: the retry delay starts here. */
  readonly endedAt: number;
  /** The endpoint starts no attempt before this time. */
  readonly backoffUntil: number;
  /** Whether a failure counts as one of the failures in a row. */
  readonly isCounted: boolean;
  readonly outcome: Outcome;
}

export interface RetryOptions {
  readonly retryDelaysSeconds: readonly number[];
  /** Failures in a row after which a webhook is switched off. @default 30 */
  readonly switchOffAfter?: SwitchOffAfter | undefined;
  readonly random: () => number;
  /** Obeys `Retry-After` of a 429 or 503, up to the next step of the schedule. @default false */
  readonly obeyRetryAfter?: boolean | undefined;
}

/** The queue entry that a result removes. */
export function queueKeyOf({ address, place, delivery }: Result): Key {
  return place.type === "new"
    ? keys.newDelivery(address, delivery.id)
    : keys.retry(address, place.dueAt, delivery.id);
}

function toNextRow(
  result: Result,
  { retryDelaysSeconds, random, obeyRetryAfter = false }: RetryOptions,
  isWebhookRemoved: boolean,
): DeliveryRow {
  const { delivery, outcome, endedAt, backoffUntil } = result;
  if (outcome.type === "cancelled") return cancel(result, outcome.reason, delivery.attempts);
  const { attempt, rules } = outcome;
  const attempts = [...delivery.attempts, attempt];
  if (attempt.error === null) return end(result, "accept", attempts);
  // The delivery that got the 410 has failed. The others, which are pending, are cancelled.
  if (attempt.status === 410) return end(result, "give_up", attempts);
  if (isWebhookRemoved) return cancel(result, "webhook_removed", attempts);
  const delayMs = retryDelayMs({
    attemptsMade: attempts.length,
    delaysSeconds: rules?.retry_delays_seconds ?? retryDelaysSeconds,
    random,
    retryAfterMs: obeyRetryAfter ? readRetryAfterMs(attempt) : undefined,
  });
  if (delayMs === undefined) return end(result, "give_up", attempts);
  const next = Math.max(endedAt + Math.round(delayMs), backoffUntil);
  const retried = { ...attempt, next_attempt_at: next };
  return { ...delivery, attempts: [...delivery.attempts, retried], next_attempt_at: next };
}

function cancel(result: Result, reason: CancelReason, attempts: readonly AttemptRow[]): DeliveryRow {
  return { ...end(result, "cancel", attempts), cancel_reason: reason };
}

function end(
  { delivery, endedAt }: Result,
  input: "accept" | "give_up" | "cancel",
  attempts: readonly AttemptRow[],
): DeliveryRow {
  const moved = moveDelivery(delivery.status, input);
  if (!moved.ok) throw new Error(`delivery ${delivery.id}: ${moved.reason}`);
  const newest = attempts.at(-1)?.body;
  return {
    ...delivery,
    // Bodies that were kept until now go with the last one.
    attempts:
      newest !== undefined && isGone(newest)
        ? attempts.map((attempt) => withoutBody(attempt, newest.gone))
        : attempts,
    status: moved.state,
    next_attempt_at: null,
    completed_at: endedAt,
  };
}

/** How long the endpoint asks to wait, if it is overloaded. A date is compared with the wall clock, as the attempt's start. */
function readRetryAfterMs({ status, headers, started_at, duration_ms }: AttemptRow): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const text = headerValue(headers, "retry-after");
  return text === undefined ? undefined : parseRetryAfter(text, started_at + duration_ms);
}

/**
 * The delivery after a result. The mutations move it out of its queue, into the log, and into the retry queue if another attempt follows.
 *
 * @param isWebhookRemoved a retry is cancelled instead of scheduled
 */
export function advanceDelivery(
  result: Result,
  options: RetryOptions,
  isWebhookRemoved = false,
): { readonly delivery: DeliveryRow; readonly mutations: readonly Mutation[] } {
  const { address, place, delivery: before } = result;
  const { accountId } = address;
  const delivery = toNextRow(result, options, isWebhookRemoved);
  const row = renderDeliveryRow(delivery);
  const mutations: Mutation[] = [
    { type: "delete", key: queueKeyOf(result) },
    { type: "set", key: keys.delivery(accountId, delivery.id), value: row },
  ];
  const wasLogged = place.type === "retry";
  const hasMoved = delivery.status !== before.status;
  if (wasLogged && hasMoved) mutations.push({ type: "delete", key: logKeyOf(accountId, before) });
  if (!wasLogged || hasMoved)
    mutations.push({ type: "set", key: logKeyOf(accountId, delivery), value: renderLogValue(delivery, row) });
  if (delivery.next_attempt_at !== null)
    mutations.push({
      type: "set",
      key: keys.retry(address, delivery.next_attempt_at, delivery.id),
      value: renderDelay(result, delivery.next_attempt_at),
    });
  return { delivery, mutations };
}

/** How far ahead a retry is, if the account has its own delays. Other retries are within those of the worker. */
function renderDelay({ outcome, endedAt }: Result, dueAt: number): string {
  const hasOwn = outcome.type === "attempted" && (outcome.rules?.retry_delays_seconds ?? null) !== null;
  return hasOwn ? String(dueAt - endedAt) : "";
}

export interface DeliveryEnd {
  readonly accountId: string;
  readonly delivery: DeliveryRow;
  readonly attempt: AttemptRow;
  readonly endedAt: number;
}

/** Ends a delivery that the worker does not make, such as a test, with its only attempt. It is taken from its queue, if it is there. */
export function endDelivery({
  accountId,
  delivery,
  attempt,
  endedAt,
}: DeliveryEnd): ReturnType<typeof advanceDelivery> {
  const result: Result = {
    address: addressOf(accountId, delivery),
    place: { type: "new" },
    delivery,
    endedAt,
    backoffUntil: 0,
    isCounted: true,
    outcome: { type: "attempted", attempt },
  };
  return advanceDelivery(result, { retryDelaysSeconds: [], random: () => 0 });
}

/** The changes of the rows of one webhook. */
export interface WebhookTransition {
  /** It was removed before, or one of the results is a 410. */
  readonly removed: boolean;
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** Its rows after the commit. */
  readonly texts: WebhookTexts;
  readonly notices: readonly WebhookNotice[];
  /** Its counters could not be read and start again at zero. */
  readonly unreadable: Error | undefined;
}

/**
 * Counts the results of one webhook, in the order in which they ended (contract: Failures in a row).
 *
 * @param guard read before, if one of the results is a 410
 */
export function advanceWebhook(
  address: EndpointAddress,
  texts: WebhookTexts,
  results: readonly Result[],
  {
    guard,
    now,
    switchOffAfter,
  }: {
    readonly guard: WebhookGuard | undefined;
    readonly now: number;
    readonly switchOffAfter?: SwitchOffAfter | undefined;
  },
): WebhookTransition {
  const { accountId, webhookId } = address;
  const rowKey = keys.webhook(address);
  const healthKey = keys.webhookHealth(address);
  const row = texts.webhook === undefined ? undefined : parseWebhookRow(texts.webhook);
  const checks: Check[] = [
    { key: rowKey, value: texts.webhook },
    { key: healthKey, value: texts.health },
  ];
  if (row === undefined)
    return {
      removed: true,
      checks,
      mutations: [],
      texts,
      notices: [],
      unreadable: undefined,
    };
  let health = initialHealth;
  let unreadable: Error | undefined;
  try {
    health = parseWebhookHealth(texts.health);
  } catch (cause) {
    unreadable = new Error(`the counters of webhook ${webhookId} cannot be read and start again at zero`, {
      cause,
    });
  }
  let { status } = row;
  const notices: WebhookNotice[] = [];
  for (const { delivery, outcome, backoffUntil, isCounted } of results) {
    if (outcome.type !== "attempted") continue;
    const { attempt } = outcome;
    if (attempt.status === 410 && guard !== undefined && moveWebhook(row.status, "gone").ok) {
      const isFailure = isCountedKind(delivery.kind) && isCounted;
      const counted = isFailure ? countGone(health, now) : health;
      const removal = toRemoval(guard, [{ row, health: counted }], { reason: "gone", now });
      return {
        removed: true,
        checks: [...checks, ...removal.checks],
        mutations: removal.mutations,
        texts: { ...texts, webhook: undefined, health: undefined },
        notices: [...notices, ...removal.removed.map((each) => toGoneNotice(accountId, each, attempt))],
        unreadable,
      };
    }
    if (!isCountedKind(delivery.kind) || !isCounted) continue;
    const accepted = attempt.error === null;
    const hasRecovered = accepted && (health.last_warning_at ?? 0) > (health.last_success_at ?? 0);
    const counted = countAttempt(
      { consecutiveFailures: health.consecutive_failures, lastWarningAt: health.last_warning_at },
      { accepted, now, switchOffAfter: outcome.rules?.switch_off_after ?? switchOffAfter },
    );
    health = {
      consecutive_failures: counted.consecutiveFailures,
      last_warning_at: counted.lastWarningAt,
      last_success_at: accepted ? now : health.last_success_at,
      last_failure_at: accepted ? health.last_failure_at : now,
      backoff_until: backoffUntil > now ? backoffUntil : null,
    };
    if (counted.action === "none" && !hasRecovered) continue;
    const notice = {
      accountId,
      webhookId,
      events: eventsOf(row),
      targetUrl: row.target_url,
      consecutiveFailures: health.consecutive_failures,
      lastFailure: accepted ? null : describeFailure(attempt),
    };
    if (hasRecovered) notices.push({ type: "recovered", ...notice });
    if (counted.action === "warn") notices.push({ type: "failing", ...notice });
    if (counted.action !== "switch_off") continue;
    const moved = moveWebhook(status, "switch_off");
    if (!moved.ok || moved.state !== "switched_off") continue;
    status = moved.state;
    notices.push({ type: "switched_off", ...notice });
  }
  const healthText = JSON.stringify(health);
  const mutations: Mutation[] = [{ type: "set", key: healthKey, value: healthText }];
  let { webhook } = texts;
  if (status !== row.status) {
    webhook = JSON.stringify({ ...row, status, status_changed_at: now });
    mutations.push({ type: "set", key: rowKey, value: webhook });
  }
  return {
    removed: false,
    checks,
    mutations,
    texts: { ...texts, webhook, health: healthText },
    notices,
    unreadable,
  };
}

/** A 410 is the last failure of a webhook. */
function countGone(health: WebhookHealthRow, now: number): WebhookHealthRow {
  return { ...health, consecutive_failures: health.consecutive_failures + 1, last_failure_at: now };
}
