import type { EventName } from "@hookwright/domain";
import type { FailureClass } from "../transport/answer.ts";

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
  readonly attempts: readonly AttemptRow[];
}

export interface AttemptRow {
  readonly number: number;
  readonly started_at: number;
  readonly duration_ms: number;
  /** As they were sent: `Name: value`, each with its CRLF. See {@link readRequestHeaders}. */
  readonly request_header_lines: string;
  /** The exact body that was signed and sent. */
  readonly body: string;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly excerpt: string;
  readonly error: FailureClass | null;
  readonly detail: string | null;
  readonly next_attempt_at: number | null;
}

type DeliveryCells = readonly [
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
];

type AttemptCells = readonly [
  number: number,
  startedAt: number,
  durationMs: number,
  requestHeaderLines: string,
  status: number | null,
  headers: Readonly<Record<string, string>>,
  excerpt: string,
  error: FailureClass | null,
  detail: string | null,
  nextAttemptAt: number | null,
];

/**
 * One line for the delivery, then two for each attempt: what happened, and the body that was sent; an empty line means
 * "the same body as before". Rows are rendered twice a delivery, so they are arrays without the names of their fields,
 * and bodies, which are JSON without line ends, stand as they are: escaping 1 KiB of quotes into another JSON text would
 * cost more than the rest of the row.
 */
export function renderDeliveryRow(row: DeliveryRow): string {
  const cells: DeliveryCells = [
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
  ];
  let text = JSON.stringify(cells);
  let previous: string | undefined;
  for (const attempt of row.attempts) {
    text += `\n${renderAttempt(attempt)}\n${attempt.body === previous ? "" : attempt.body}`;
    previous = attempt.body;
  }
  return text;
}

function renderAttempt(attempt: AttemptRow): string {
  const cells: AttemptCells = [
    attempt.number,
    attempt.started_at,
    attempt.duration_ms,
    attempt.request_header_lines,
    attempt.status,
    attempt.headers,
    attempt.excerpt,
    attempt.error,
    attempt.detail,
    attempt.next_attempt_at,
  ];
  return JSON.stringify(cells);
}

export function parseDeliveryRow(text: string): DeliveryRow {
  const [head = "", ...lines] = text.split("\n");
  const cells: DeliveryCells = JSON.parse(head);
  const attempts: AttemptRow[] = [];
  let body = "";
  for (let index = 0; index + 1 < lines.length; index += 2) {
    body = lines[index + 1] || body;
    attempts.push(parseAttempt(lines[index] ?? "", body));
  }
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
    attempts,
  };
}

function parseAttempt(line: string, body: string): AttemptRow {
  const cells: AttemptCells = JSON.parse(line);
  return {
    number: cells[0],
    started_at: cells[1],
    duration_ms: cells[2],
    request_header_lines: cells[3],
    body,
    status: cells[4],
    headers: cells[5],
    excerpt: cells[6],
    error: cells[7],
    detail: cells[8],
    next_attempt_at: cells[9],
  };
}

/** The headers of an attempt by name, as they were sent. */
export function readRequestHeaders({
  request_header_lines: lines,
}: Pick<AttemptRow, "request_header_lines">): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines.split("\r\n")) {
    const colon = line.indexOf(": ");
    if (colon !== -1) headers[line.slice(0, colon)] = line.slice(colon + 2);
  }
  return headers;
}
