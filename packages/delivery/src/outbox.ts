import type { EventName } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "./rows/keys.ts";
import { renderDeliveryRow } from "./rows/delivery-row.ts";
import type { DeliveryKind, DeliveryRow } from "./rows/delivery-row.ts";
import type { WebhookRow } from "./rows/webhook-row.ts";

export interface NewDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly webhook: Pick<WebhookRow, "id" | "target_url">;
  readonly event: EventName;
  readonly recordId: string;
  /** When the record arrived, see `DeliveryRow.record_arrival`. */
  readonly recordArrival: number;
  readonly projectId: string;
  readonly kind: DeliveryKind;
  readonly now: number;
}

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
  };
}

/**
 * The outbox: rows that put a delivery into its queue. They belong into the same commit as the record they tell of,
 * so that an acknowledged publish is never without its deliveries, nor a delivery without its record.
 */
export function toOutboxMutations(accountId: string, delivery: DeliveryRow): Mutation[] {
  const lane = { accountId, event: delivery.event, webhookId: delivery.webhook_id };
  return [{ type: "set", key: keys.fresh(lane, delivery.id), value: renderDeliveryRow(delivery) }];
}

/** The queues of new deliveries: what whoever delivers them is told of, where that is another process. */
export function toWakeKeys(accountId: string, deliveries: readonly DeliveryRow[]): Key[] {
  return deliveries.map(({ event, webhook_id: webhookId }) =>
    keys.freshLane({ accountId, event, webhookId }),
  );
}
