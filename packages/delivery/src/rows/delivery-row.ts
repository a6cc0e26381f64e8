import type { EventName } from "@hookwright/domain";
import type { FailureClass } from "../transport/answer.ts";
import type { HeaderList } from "../transport/header-list.ts";

export type DeliveryStatus = "pending" | "delivered" | "failed" | "cancelled";
export type DeliveryKind = "event" | "resend" | "test";

/** A delivery as it is stored, with every attempt. Times are milliseconds. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly target_url: string;
  readonly event: EventName;
  readonly record_id: string;
  readonly project_id: string;
  readonly kind: DeliveryKind;
  readonly status: DeliveryStatus;
  readonly created_at: number;
  readonly next_attempt_at: number | null;
  readonly completed_at: number | null;
  /**
   * The arrival of the record it tells of. One that was deleted and published again under its id is another record, perhaps of
   * another site: this delivery is not sent with its data. 0 for a test, which has no record.
   */
  readonly record_arrival: number;
  readonly attempts: readonly AttemptRow[];
}

export interface AttemptRow {
  readonly number: number;
  readonly started_at: number;
  readonly duration_ms: number;
  /** Which headers were sent: see `readRequestHeaders`. */
  readonly request_form: number;
  /** The value of `X-Service-Signature`. */
  readonly signature: string;
  /** The exact body that was signed and sent, or what gives it back. */
  readonly body: string | BodySource;
  readonly status: number | null;
  /** Of the answer. */
  readonly headers: HeaderList;
  readonly excerpt: string;
  readonly error: FailureClass | null;
  readonly detail: string | null;
  readonly next_attempt_at: number | null;
}

/**
 * What a body was made of: a version of the delivery's record, which is kept for as long as a delivery names it, and the
 * site as it was called then. A body is mostly its record, and a hundred deliveries of one share it.
 */
export interface BodySource {
  readonly version: number;
  readonly project_name: string;
  readonly project_timezone: string;
}

type HeadCells = [
  id: string,
  webhookId: string,
  targetUrl: string,
  event: EventName,
  recordId: string,
  projectId: string,
  kind: DeliveryKind,
  status: DeliveryStatus,
  createdAt: number,
  nextAttemptAt: number | null,
  completedAt: number | null,
  recordArrival: number,
];

type DeliveryCells = readonly [...HeadCells, ...attempts: AttemptCells[]];

type AttemptCells = readonly [
  number: number,
  startedAt: number,
  durationMs: number,
  requestForm: number,
  signature: string,
  body: string | readonly [version: number, projectName: string, projectTimezone: string],
  status: number | null,
  headers: HeaderList,
  excerpt: string,
  error: FailureClass | null,
  detail: string | null,
  nextAttemptAt: number | null,
];

/**
 * Rows are written twice a delivery and kept by the million, so they are arrays without the names of their fields.
 *
 * The array is made in the size it has with one attempt, as nearly every one of them is written: one that grows takes twice the memory.
 */
export function renderDeliveryRow(row: DeliveryRow): string {
  const first = row.attempts[0];
  const cells: [...HeadCells, first?: AttemptCells | undefined, ...retries: AttemptCells[]] = [
    row.id,
    row.webhook_id,
    row.target_url,
    row.event,
    row.record_id,
    row.project_id,
    row.kind,
    row.status,
    row.created_at,
    row.next_attempt_at,
    row.completed_at,
    row.record_arrival,
    first && toAttemptCells(first),
  ];
  if (first === undefined) cells.pop();
  for (const retry of row.attempts.slice(1)) cells.push(toAttemptCells(retry));
  return JSON.stringify(cells);
}

function toAttemptCells(attempt: AttemptRow): AttemptCells {
  const { body } = attempt;
  return [
    attempt.number,
    attempt.started_at,
    attempt.duration_ms,
    attempt.request_form,
    attempt.signature,
    typeof body === "string" ? body : [body.version, body.project_name, body.project_timezone],
    attempt.status,
    attempt.headers,
    attempt.excerpt,
    attempt.error,
    attempt.detail,
    attempt.next_attempt_at,
  ];
}

export function parseDeliveryRow(text: string): DeliveryRow {
  const cells: DeliveryCells = JSON.parse(text);
  return {
    id: cells[0],
    webhook_id: cells[1],
    target_url: cells[2],
    event: cells[3],
    record_id: cells[4],
    project_id: cells[5],
    kind: cells[6],
    status: cells[7],
    created_at: cells[8],
    next_attempt_at: cells[9],
    completed_at: cells[10],
    record_arrival: cells[11],
    attempts: readAttemptCells(cells).map(toAttemptRow),
  };
}

function readAttemptCells([, , , , , , , , , , , , ...attempts]: DeliveryCells): AttemptCells[] {
  return attempts;
}

function toAttemptRow(cells: AttemptCells): AttemptRow {
  const body = cells[5];
  return {
    number: cells[0],
    started_at: cells[1],
    duration_ms: cells[2],
    request_form: cells[3],
    signature: cells[4],
    body:
      typeof body === "string"
        ? body
        : { version: body[0], project_name: body[1], project_timezone: body[2] },
    status: cells[6],
    headers: cells[7],
    excerpt: cells[8],
    error: cells[9],
    detail: cells[10],
    next_attempt_at: cells[11],
  };
}
