import type { Check, Mutation } from "@hookwright/storage";
import type { Endpoint, WebhookTexts } from "./endpoint.ts";
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
  readonly fence: Check;
  readonly result: Result;
}

/** A batch that is ready to be committed. */
export interface Plan {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
  /** In the order of the batch. */
  readonly deliveries: readonly DeliveryRow[];
  readonly endpoints: ReadonlyMap<Endpoint, EndpointPlan>;
}

/** What the commit changes for one webhook. */
interface EndpointPlan {
  /** Its rows after the commit. */
  readonly texts: WebhookTexts;
  readonly notices: readonly WebhookNotice[];
  /** Rows that could not be read and start again at zero. */
  readonly unreadable: readonly Error[];
}

export interface PlanOptions extends RetryOptions {
  /** Of accounts with a webhook that answered 410. */
  readonly guards: ReadonlyMap<string, WebhookGuard>;
  readonly now: number;
}

const noTexts: WebhookTexts = { webhook: undefined, health: undefined, series: undefined };

/** Makes the rows of a batch from those of its webhooks, which were read before. */
export function toPlan(batch: readonly EndpointResult[], { guards, now, ...options }: PlanOptions): Plan {
  const checks: Check[] = [];
  const mutations: Mutation[] = [];
  const deliveries = new Map<EndpointResult, DeliveryRow>();
  const endpoints = new Map<Endpoint, EndpointPlan>();
  const guardsNow = new Map(guards);
  for (const [endpoint, ended] of Map.groupBy(batch, (each) => each.endpoint)) {
    const { address, texts = noTexts } = endpoint;
    const attempted = ended.map(({ result }) => result).filter(({ outcome }) => outcome.type === "attempted");
    // A cancelled delivery changes no counters of its webhook.
    const guard = guardsNow.get(address.accountId);
    const webhook =
      attempted.length === 0 ? undefined : advanceWebhook(address, texts, attempted, { guard, now });
    // The same commit may remove another webhook of the account.
    if (webhook?.removed === true && guard !== undefined)
      guardsNow.set(address.accountId, withoutWebhook(guard, address));
    for (const each of ended) {
      const advanced = advanceDelivery(each.result, {
        ...options,
        webhookRemoved: webhook?.removed ?? false,
      });
      deliveries.set(each, advanced.delivery);
      mutations.push(...advanced.mutations);
    }
    const counted = ended.flatMap((each) => toCounted(each, deliveries.get(each)));
    const series = countResults(address, texts.series, counted, { now });
    checks.push(...(webhook?.checks ?? []), ...series.checks);
    mutations.push(...(webhook?.mutations ?? []), ...series.mutations);
    endpoints.set(endpoint, {
      texts: { ...(webhook?.texts ?? texts), series: series.text },
      notices: webhook?.notices ?? [],
      unreadable: [webhook?.unreadable, series.unreadable].filter((error) => error !== undefined),
    });
  }
  return { checks, mutations, deliveries: batch.flatMap((each) => deliveries.get(each) ?? []), endpoints };
}

/** Tests are not counted. */
function toCounted({ result: { endedAt, outcome } }: EndpointResult, delivery: DeliveryRow | undefined) {
  if (delivery === undefined || delivery.kind === "test") return [];
  const attempt = outcome.type === "attempted" ? outcome.attempt : undefined;
  return [{ at: endedAt, status: delivery.status, attempt }];
}
