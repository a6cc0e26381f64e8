import { readRequestHeaders, toHeaderRecord } from "@hookwright/delivery";
import type { AttemptRow, DeliveryRow } from "@hookwright/delivery";
import { bodyId, toTimestamp } from "@hookwright/domain";
import type { Attempt, Delivery, DeliveryDetail } from "@hookwright/domain";

/** A delivery as the log lists it (contract §7). */
export function toDelivery(row: DeliveryRow): Delivery {
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
  };
}

/** @param bodies those of its attempts, in order */
export function toDeliveryDetail(row: DeliveryRow, bodies: readonly string[]): DeliveryDetail {
  const attempts = row.attempts.map((attempt, index) => toAttempt(row, attempt, bodies[index] ?? ""));
  return { ...toDelivery(row), attempts };
}

/** An attempt is named after its delivery: it needs no id of its own in the store. */
export function toAttempt(delivery: DeliveryRow, attempt: AttemptRow, body: string): Attempt {
  return {
    id: `${delivery.id.replace("dlv_", "att_")}_${attempt.number}`,
    number: attempt.number,
    started_at: toTimestamp(attempt.started_at),
    duration_ms: attempt.duration_ms,
    request: { headers: readRequestHeaders(delivery, attempt), body },
    status: attempt.status,
    headers: toHeaderRecord(attempt.headers),
    excerpt: attempt.excerpt,
    error: attempt.error,
    next_attempt_at: toTimestampOrNull(attempt.next_attempt_at),
  };
}

function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
