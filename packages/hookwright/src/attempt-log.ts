import type { WorkerOptions } from "@hookwright/delivery";
import type { WriteLogLine } from "@hookwright/domain";

/** Writes one line for each recorded attempt. It has no URL and no text of the receiver, because these can hold personal data. */
export function createAttemptLog(log: WriteLogLine): NonNullable<WorkerOptions["onAttempt"]> {
  return (accountId, delivery, { number, status, error, duration_ms: durationMs }) =>
    log("attempt_recorded", {
      account_id: accountId,
      webhook_id: delivery.webhook_id,
      delivery_id: delivery.id,
      event: delivery.event,
      kind: delivery.kind,
      attempt: number,
      http_status: status,
      attempt_error: error,
      duration_ms: Math.round(durationMs),
      delivery_status: delivery.status,
    });
}
