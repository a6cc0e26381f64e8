import type { Check, Key, Mutation } from "@hookwright/storage";
import { renderDeliveryRow } from "./storage/delivery-codec.ts";
import { publishedAtOf } from "./storage/delivery-row.ts";
import type { DeliveryKind, DeliveryRow } from "./storage/delivery-row.ts";
import type { WebhookRow } from "./storage/webhook-row.ts";
import { keys } from "./storage/keys.ts";
import type { EndpointAddress } from "./storage/keys.ts";

export interface NewDelivery {
  readonly id: string;
  readonly webhook: Pick<WebhookRow, "id" | "event" | "target_url">;
  readonly event: string;
  readonly recordId: string;
  /** See `DeliveryRow.record_arrival`. */
  readonly recordArrival: number;
  /** See `DeliveryRow.about`. @default the record */
  readonly about?: string | undefined;
  readonly projectId: string;
  readonly kind: DeliveryKind;
  readonly now: number;
  /** The delivery that is sent again. @default none */
  readonly resentFrom?: ResentFrom | undefined;
  /** See `DeliveryRow.missed_at`. @default it is no delivery of a missed event */
  readonly missedAt?: number | undefined;
  /** See `DeliveryRow.trace_parent`. @default none */
  readonly traceParent?: string | undefined;
}

type ResentFrom = Pick<
  DeliveryRow,
  "id" | "kind" | "root" | "resent_from" | "created_at" | "missed_at" | "published_at"
>;

/** A delivery that waits for its first attempt. */
export function createDelivery(input: NewDelivery): DeliveryRow {
  return {
    id: input.id,
    webhook_id: input.webhook.id,
    target_url: input.webhook.target_url,
    event: input.event,
    record_id: input.recordId,
    project_id: input.projectId,
    kind: input.kind,
    status: "pending",
    created_at: input.now,
    next_attempt_at: input.now,
    completed_at: null,
    record_arrival: input.recordArrival,
    attempts: [],
    ...(input.resentFrom !== undefined && toResent(input.resentFrom)),
    ...(input.missedAt !== undefined && { missed_at: input.missedAt }),
    ...(input.traceParent !== undefined && { trace_parent: input.traceParent }),
    ...(input.about !== undefined && { about: input.about }),
    ...(input.webhook.event !== input.event && { endpoint_event: input.webhook.event }),
  };
}

function toResent(original: ResentFrom) {
  const { id, kind, root, resent_from } = original;
  const first = kind === "resend" ? (root ?? resent_from) : undefined;
  return {
    resent_from: id,
    published_at: publishedAtOf(original),
    ...(first !== undefined && { root: first }),
  };
}

/**
 * Puts a delivery into the queue of its endpoint. These mutations belong in the same commit as the record, so
 * that an acknowledged publish always has its deliveries.
 */
export function toQueueMutations(accountId: string, delivery: DeliveryRow): Mutation[] {
  const key = keys.newDelivery(addressOf(accountId, delivery), delivery.id);
  return [{ type: "set", key, value: renderDeliveryRow(delivery) }];
}

/** Refuse a commit that queues a delivery which was queued before. */
export function toFirstChecks(accountId: string, delivery: DeliveryRow): Check[] {
  const queued = keys.newDelivery(addressOf(accountId, delivery), delivery.id);
  return [queued, keys.delivery(accountId, delivery.id)].map((key) => ({ key, value: undefined }));
}

/** The queues that have new deliveries, to notify the workers of other processes. */
export function toNotification(accountId: string, deliveries: readonly DeliveryRow[]): Key[] {
  return deliveries.map((delivery) => keys.newQueue(addressOf(accountId, delivery)));
}

/** The endpoint of a delivery. */
export function addressOf(
  accountId: string,
  {
    event,
    endpoint_event: endpointEvent = event,
    webhook_id: webhookId,
  }: Pick<DeliveryRow, "event" | "endpoint_event" | "webhook_id">,
): EndpointAddress {
  return { accountId, event: endpointEvent, webhookId };
}
