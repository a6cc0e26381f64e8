import { readRequestHeaders, toHeaderRecord, withoutBody } from "@hookwright/delivery";
import type { AttemptRow, DeliveryRow, GoneBody } from "@hookwright/delivery";
import { bodyId, sayAttempt, toPreciseTimestamp } from "@hookwright/domain";
import type {
  Attempt,
  AttemptPhases,
  Delivery,
  DeliveryDetail,
  ExportedDelivery,
  ListenerResult,
} from "@hookwright/domain";
import { toPreciseTimestampOrNull } from "./to-timestamp-or-null.ts";

/** The exact body of an attempt, or why the log has none. */
export type LoggedBody = string | GoneBody;

/** A delivery as the log lists it. */
export function toDelivery(row: DeliveryRow): Delivery {
  const newest = row.attempts.at(-1);
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    target_url: row.target_url,
    event: row.event,
    record_id: row.about ?? row.record_id,
    body_id: bodyId(row.event, row.record_id),
    project_id: row.project_id,
    // No account has notices in its log.
    kind: row.kind === "notice" ? "event" : row.kind,
    status: row.status,
    attempts_made: row.attempts.length,
    next_attempt_at: toPreciseTimestampOrNull(row.next_attempt_at),
    created_at: toPreciseTimestamp(row.created_at),
    completed_at: toPreciseTimestampOrNull(row.completed_at),
    cancel_reason: row.cancel_reason ?? null,
    resent_from: row.resent_from ?? null,
    last_status: newest?.status ?? null,
    last_error: newest?.error ?? null,
    last_duration_ms: newest?.duration_ms ?? null,
  };
}

/** A delivery as a row of a file, with what is known of its newest attempt. */
export function toExportedDelivery(row: DeliveryRow): ExportedDelivery {
  const newest = row.attempts.at(-1);
  const attempt = newest && { ...newest, phases: toPhases(row, newest) };
  const { queued_ms, dns_ms, connect_ms, tls_ms, wait_ms, read_ms } = attempt?.phases ?? noPhases;
  return {
    ...toDelivery(row),
    last_queued_ms: queued_ms,
    last_dns_ms: dns_ms,
    last_connect_ms: connect_ms,
    last_tls_ms: tls_ms,
    last_wait_ms: wait_ms,
    last_read_ms: read_ms,
    last_result: attempt === undefined ? null : sayAttempt(attempt),
  };
}

interface DetailParts {
  /** The bodies of its attempts, in order. */
  readonly bodies: readonly LoggedBody[];
  /** Ids of the deliveries that sent it again, oldest first. */
  readonly resends: readonly string[];
  readonly listenerResults: readonly ListenerResult[];
}

export function toDeliveryDetail(
  row: DeliveryRow,
  { bodies, resends, listenerResults }: DetailParts,
): DeliveryDetail {
  const attempts = row.attempts.map((attempt, index) =>
    toAttempt(row, attempt, bodies[index] ?? { gone: "not_kept" }),
  );
  return { ...toDelivery(row), attempts, resends: [...resends], listener_results: [...listenerResults] };
}

/** The place of the random digits in an id, behind the time and the counter. */
const randomDigits = "dlv_".length + 20;

/** An attempt has no id in the store. Its id is that of its delivery, with the number in the first two random digits. */
function attemptId(deliveryId: string, number: number): string {
  const end = randomDigits + 2;
  const mark = (Number.parseInt(deliveryId.slice(randomDigits, end), 16) ^ number) & 0xff;
  const digits = mark.toString(16).padStart(2, "0");
  return `${deliveryId.slice(0, randomDigits)}${digits}${deliveryId.slice(end)}`.replace("dlv_", "att_");
}

export function toAttempt(delivery: DeliveryRow, row: AttemptRow, body: LoggedBody): Attempt {
  const isKept = typeof body === "string";
  const attempt = isKept ? row : withoutBody(row, body.gone);
  const phases = toPhases(delivery, attempt);
  return {
    id: attemptId(delivery.id, attempt.number),
    number: attempt.number,
    started_at: toPreciseTimestamp(attempt.started_at),
    duration_ms: attempt.duration_ms,
    phases,
    reused: phases.wait_ms !== null && phases.connect_ms === null,
    request: { headers: readRequestHeaders(delivery, attempt), body: isKept ? body : null },
    body_state: isKept ? "kept" : body.gone,
    status: attempt.status,
    headers: attempt.status === null ? null : toHeaderRecord(attempt.headers),
    excerpt: attempt.status === null || !isKept ? null : attempt.excerpt,
    error: attempt.error,
    detail: attempt.detail,
    summary: sayAttempt({ ...attempt, phases }),
    next_attempt_at: toPreciseTimestampOrNull(attempt.next_attempt_at),
  };
}

const noPhases: AttemptPhases = {
  queued_ms: null,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  wait_ms: null,
  read_ms: null,
};

function toPhases(delivery: DeliveryRow, { phases, number, started_at }: AttemptRow): AttemptPhases {
  if (phases === undefined) return noPhases;
  const [dns, connect, tls, wait, read] = phases;
  const before = delivery.attempts.find((attempt) => attempt.number === number - 1);
  const dueAt = before?.next_attempt_at ?? delivery.created_at;
  return {
    queued_ms: Math.max(0, started_at - dueAt),
    dns_ms: toMs(dns),
    connect_ms: toMs(connect),
    tls_ms: toMs(tls),
    wait_ms: toMs(wait),
    read_ms: toMs(read),
  };
}

function toMs(tenths: number): number | null {
  return tenths === -1 ? null : tenths / 10;
}
