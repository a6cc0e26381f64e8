import type { ServedRequest } from "@hookwright/api";
import type { WorkerOptions } from "@hookwright/delivery";
import type { WriteLogLine } from "@hookwright/domain";
import type { AuditRow } from "@hookwright/service";

/** Writes one line for each request. It has the pattern of the route, because paths may hold e-mail addresses. */
export function logRequest(log: WriteLogLine, request: ServedRequest): void {
  const { method, route, status, durationMs, requestId, accountId } = request;
  log("request_served", {
    method,
    route,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    request_id: requestId,
    ...(accountId === undefined ? {} : { account_id: accountId }),
  });
}

type RecordedAttempt = Parameters<NonNullable<WorkerOptions["onAttempt"]>>;

/** Writes one line for each recorded attempt. It has no URL and no text of the receiver, because these can hold personal data. */
export function logAttempt(log: WriteLogLine, ...[accountId, delivery, attempt]: RecordedAttempt): void {
  log("attempt_recorded", {
    account_id: accountId,
    webhook_id: delivery.webhook_id,
    delivery_id: delivery.id,
    event: delivery.event,
    kind: delivery.kind,
    attempt: attempt.number,
    http_status: attempt.status,
    attempt_error: attempt.error,
    duration_ms: Math.round(attempt.duration_ms),
    delivery_status: delivery.status,
  });
}

/** Writes one line for each audited change, except those of the program: it knows its own calls, which may be many. */
export function logChange(log: WriteLogLine, row: AuditRow): void {
  const { id, action, actor, account_id, target, changed, request_id } = row;
  if (actor.kind === "program") return;
  log("change_audited", {
    audit_id: id,
    action,
    actor: actor.kind,
    ...(actor.id === null ? {} : { actor_id: actor.id }),
    ...(actor.name === null ? {} : { actor_name: actor.name }),
    ...(account_id === null ? {} : { account_id }),
    target: target.kind,
    ...(target.id === null ? {} : { target_id: target.id }),
    ...(changed.length === 0 ? {} : { changed }),
    ...(request_id === null ? {} : { request_id }),
  });
}
