import type { Check, Mutation } from "@hookwright/storage";
import type { Endpoint, WebhookTexts } from "./endpoint.ts";
import type { Queued } from "./endpoint-queue.ts";
import type { CountedResult } from "../series/bucket.ts";
import { countResults } from "../series/count-results.ts";
import type { DeliveryRow } from "../storage/codec.ts";
import { advanceDelivery, advanceWebhook } from "./transitions.ts";
import type { Result, RetryOptions } from "./transitions.ts";
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
  readonly endpoints: readonly EndpointPlan[];
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
  /** Rows that could not be read and start again at zero. */
  readonly unreadable: readonly Error[];
}

export interface PlanOptions {
  readonly retries: RetryOptions;
  /** Of accounts with a webhook that answered 410. */
  readonly guards: ReadonlyMap<string, WebhookGuard>;
  readonly now: number;
}

const noTexts: WebhookTexts = { webhook: undefined, health: undefined, series: undefined };

/** Makes the rows of a batch from those of its webhooks, which were read before. */
export function toPlan(batch: readonly EndpointResult[], { retries, guards, now }: PlanOptions): Plan {
  const checks: Check[] = [];
  const mutations: Mutation[] = [];
  const guardsNow = new Map(guards);
  const byEndpoint = Map.groupBy(batch, ({ endpoint }) => endpoint);
  const endpoints = Array.from(byEndpoint, ([endpoint, ended]): EndpointPlan => {
    const { address, texts = noTexts } = endpoint;
    const results = ended.map(({ result }) => result);
    // A cancelled delivery changes no counters of its webhook.
    const guard = guardsNow.get(address.accountId);
    const webhook = results.some(({ outcome }) => outcome.type === "attempted")
      ? advanceWebhook(address, texts, results, { guard, now })
      : undefined;
    // The same commit may remove another webhook of the account.
    if (webhook?.removed === true && guard !== undefined)
      guardsNow.set(address.accountId, withoutWebhook(guard, address));
    const deliveries = results.map((result) => {
      const advanced = advanceDelivery(result, retries, webhook?.removed);
      mutations.push(...advanced.mutations);
      return advanced.delivery;
    });
    const series = countResults(address, texts.series, toCounted(results, deliveries), { now });
    checks.push(...(webhook?.checks ?? []), ...series.checks);
    mutations.push(...(webhook?.mutations ?? []), ...series.mutations);
    return {
      endpoint,
      results: ended,
      deliveries,
      texts: { ...(webhook?.texts ?? texts), series: series.text },
      notices: webhook?.notices ?? [],
      unreadable: [webhook?.unreadable, series.unreadable].filter((error) => error !== undefined),
    };
  });
  return { checks, mutations, endpoints };
}

/** Tests are not counted. */
function toCounted(results: readonly Result[], deliveries: readonly DeliveryRow[]): CountedResult[] {
  const counted: CountedResult[] = [];
  results.forEach(({ endedAt, outcome }, index) => {
    const delivery = deliveries[index];
    if (delivery === undefined || delivery.kind === "test") return;
    const attempt = outcome.type === "attempted" ? outcome.attempt : undefined;
    counted.push({ at: endedAt, status: delivery.status, attempt });
  });
  return counted;
}
