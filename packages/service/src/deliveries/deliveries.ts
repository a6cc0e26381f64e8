import { keys, parseDeliveryRow, readRequestHeaders } from "@hookwright/delivery";
import type { AttemptRow, DeliveryRow } from "@hookwright/delivery";
import { bodyId, eventNames, HookwrightError, isHostId, toTimestamp } from "@hookwright/domain";
import type { Attempt, DeliveryDetail } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import type { DeliveryUseCases } from "../use-cases.ts";

/** The delivery log (contract §7). */
export function createDeliveries({ store }: Pick<ServiceContext, "store">): DeliveryUseCases {
  return {
    async get(accountId, deliveryId) {
      const row = isHostId(deliveryId) ? await findDelivery(store, accountId, deliveryId) : undefined;
      if (row === undefined)
        throw new HookwrightError("resource_not_found", "No such delivery on this account.");
      return toDeliveryDetail(row);
    },
  };
}

/** A delivery that was never tried is still in the queue of its webhook, and nowhere else. */
async function findDelivery(
  store: Store,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  const text = await store.get(keys.delivery(accountId, deliveryId));
  if (text !== undefined) return parseDeliveryRow(text);
  const lanes = await Promise.all(eventNames.map((event) => freshLanes(store, accountId, event)));
  const waiting = await store.getMany(lanes.flat().map((lane) => keys.fresh(lane, deliveryId)));
  const found = waiting.find((each) => each !== undefined);
  if (found !== undefined) return parseDeliveryRow(found);
  // Between the two reads its first attempt may have ended.
  const moved = await store.get(keys.delivery(accountId, deliveryId));
  return moved === undefined ? undefined : parseDeliveryRow(moved);
}

/** The webhooks of an account that have a queue, removed ones included. */
async function freshLanes(store: Store, accountId: string, event: (typeof eventNames)[number]) {
  const prefix = keys.freshLanes(accountId, event);
  const lanes: { accountId: string; event: typeof event; webhookId: string }[] = [];
  let after: Key | undefined;
  for (;;) {
    const [entry] = await store.list({ prefix, limit: 1, ...(after === undefined ? {} : { after }) });
    const webhookId = entry?.key[4];
    if (typeof webhookId !== "string") return lanes;
    lanes.push({ accountId, event, webhookId });
    after = [...prefix, webhookId, "\u{10FFFF}"];
  }
}

function toDeliveryDetail(row: DeliveryRow): DeliveryDetail {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    target_url: row.target_url,
    event: row.event,
    record_id: row.record_id,
    body_id: bodyId(row.event, row.record_id),
    project_id: row.project_id,
    kind: row.kind,
    status: row.status,
    attempts_made: row.attempts.length,
    next_attempt_at: toTimestampOrNull(row.next_attempt_at),
    created_at: toTimestamp(row.created_at),
    completed_at: toTimestampOrNull(row.completed_at),
    attempts: row.attempts.map((attempt) => toAttempt(row.id, attempt)),
  };
}

function toAttempt(deliveryId: string, attempt: AttemptRow): Attempt {
  return {
    id: deliveryId.replace("dlv_", "att_") + `_${attempt.number}`,
    number: attempt.number,
    started_at: toTimestamp(attempt.started_at),
    duration_ms: attempt.duration_ms,
    request: { headers: readRequestHeaders(attempt), body: attempt.body },
    status: attempt.status,
    headers: { ...attempt.headers },
    excerpt: attempt.excerpt,
    error: attempt.error,
    next_attempt_at: toTimestampOrNull(attempt.next_attempt_at),
  };
}

function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
