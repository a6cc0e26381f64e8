import type { Check, Mutation } from "@hookwright/storage";
import type { Endpoint, WebhookTexts } from "./endpoint.ts";
import type { Queued } from "./endpoint-queue.ts";
import { advanceIssues, issueLifetimeMs } from "../issues/issue.ts";
import { toResultEntry } from "../ledger/count.ts";
import type { LedgerEntry } from "../ledger/count.ts";
import { isCountedKind } from "../storage/delivery-row.ts";
import type { DeliveryRow } from "../storage/delivery-row.ts";
import { keys } from "../storage/keys.ts";
import { advanceDelivery, advanceWebhook } from "./transitions.ts";
import type { Result, RetryOptions } from "./transitions.ts";
import { countFailedDeliveries } from "../webhooks/failed-deliveries.ts";
import type { WebhookNotice } from "../webhooks/webhook-notice.ts";
import { withoutWebhook } from "../webhooks/webhook-store.ts";
import type { WebhookGuard } from "../webhooks/webhook-store.ts";

/** A result with the endpoint it belongs to and the lease under which the attempt started. */
export interface EndpointResult {
  readonly endpoint: Endpoint;
  readonly queued: Queued;
  readonly fence: Check;
  readonly result: Result;
}

/** A batch that is ready to be committed. */
export interface Plan {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** What it counts in the ledger, beside its mutations. */
  readonly counted: readonly LedgerEntry[];
  readonly endpoints: readonly EndpointPlan[];
  /** It changes a row that it checks, so it cannot happen twice. */
  readonly happensOnce: boolean;
}

/** What the commit changes for one webhook. */
export interface EndpointPlan {
  readonly endpoint: Endpoint;
  readonly results: readonly EndpointResult[];
  /** In the order of the results. */
  readonly deliveries: readonly DeliveryRow[];
  /** Its rows after the commit. */
  readonly texts: WebhookTexts;
  readonly notices: readonly WebhookNotice[];
  /** Its counters could not be read and start again at zero. */
  readonly unreadable: Error | undefined;
}

export interface PlanOptions {
  readonly retries: RetryOptions;
  /** Of accounts with a webhook that answered 410. */
  readonly guards: ReadonlyMap<string, WebhookGuard>;
  readonly now: number;
  /** What the commit also writes about what happened to a webhook. @default nothing */
  readonly recordChange?: RecordChange | undefined;
}

export type RecordChange = (notice: WebhookNotice) => readonly Mutation[];

const noTexts: WebhookTexts = { webhook: undefined, health: undefined };

/** Makes the rows of a batch from those of its webhooks, which were read before. */
export function toPlan(
  batch: readonly EndpointResult[],
  { retries, guards, now, recordChange }: PlanOptions,
): Plan {
  const checks: Check[] = [];
  const mutations: Mutation[] = [];
  const counted: LedgerEntry[] = [];
  const guardsNow = new Map(guards);
  const byEndpoint = Map.groupBy(batch, ({ endpoint }) => endpoint);
  const endpoints = Array.from(byEndpoint, ([endpoint, ended]): EndpointPlan => {
    const { address, texts = noTexts } = endpoint;
    const results = ended.map(({ result }) => result);
    // A cancelled delivery changes no counters of its webhook.
    const guard = guardsNow.get(address.accountId);
    const webhook = results.some(({ outcome }) => outcome.type === "attempted")
      ? advanceWebhook(address, texts, results, { guard, now, switchOffAfter: retries.switchOffAfter })
      : undefined;
    // The same commit may remove another webhook of the account.
    if (webhook?.removed === true && guard !== undefined)
      guardsNow.set(address.accountId, withoutWebhook(guard, address));
    const failed: DeliveryRow[] = [];
    const deliveries = results.map((result) => {
      const advanced = advanceDelivery(result, retries, webhook?.removed);
      mutations.push(...advanced.mutations);
      const { accountId } = address;
      const entry = toResultEntry(accountId, advanced.delivery, result.outcome.type === "attempted");
      if (entry !== undefined) counted.push(entry);
      if (hasFailed(result)) failed.push(advanced.delivery);
      return advanced.delivery;
    });
    checks.push(...(webhook?.checks ?? []));
    mutations.push(...(webhook?.mutations ?? []));
    for (const notice of webhook?.notices ?? []) mutations.push(...(recordChange?.(notice) ?? []));
    const issues = webhook?.removed === false ? advanceIssues(texts.issues, failed, now) : undefined;
    if (issues !== undefined) {
      const key = keys.issues(address);
      checks.push({ key, value: texts.issues?.text });
      mutations.push({ type: "set", key, value: issues, expiresAt: now + issueLifetimeMs });
    }
    // That a webhook is gone says more than that its deliveries have failed.
    const finallyFailed =
      webhook?.removed === false ? failed.filter(({ status }) => status === "failed") : [];
    const failedText = countFailedDeliveries(texts.failed, webhook?.texts.webhook, finallyFailed, now);
    if (failedText !== undefined) {
      const key = keys.failedDeliveries(address);
      checks.push({ key, value: texts.failed?.text });
      mutations.push({ type: "set", key, value: failedText, expiresAt: now + issueLifetimeMs });
    }
    return {
      endpoint,
      results: ended,
      deliveries,
      texts: {
        ...(webhook?.texts ?? texts),
        ...(issues !== undefined && { issues: { text: issues } }),
        ...(failedText !== undefined && { failed: { text: failedText } }),
      },
      notices: webhook?.notices ?? [],
      unreadable: webhook?.unreadable,
    };
  });
  const happensOnce = endpoints.some(({ endpoint: { texts = noTexts }, texts: after }) => {
    return after.health !== texts.health || after.webhook !== texts.webhook;
  });
  return { checks, mutations, counted, endpoints, happensOnce };
}

/** Whether an attempt was made that counts as a failure. */
export function hasFailed({ delivery, outcome }: Result): boolean {
  return outcome.type === "attempted" && outcome.attempt.error !== null && isCountedKind(delivery.kind);
}
