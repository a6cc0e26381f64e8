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
  readonly request_headers: Readonly<Record<string, string>>;
  /** The exact body that was signed and sent. */
  readonly body: string;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly excerpt: string;
  readonly error: FailureClass | null;
  readonly detail: string | null;
  readonly next_attempt_at: number | null;
}

/**
 * One line of JSON, then one line for the body of each attempt; an empty line means "as the attempt before".
 * Bodies are JSON without line ends, so they are stored as they are: escaping 1 KiB of quotes into another JSON
 * text would cost more than the rest of the row.
 */
export function renderDeliveryRow(row: DeliveryRow): string {
  if (row.attempts.length === 0) return JSON.stringify(row);
  let previous: string | undefined;
  let bodies = "";
  const attempts = row.attempts.map(({ body, ...attempt }) => {
    bodies += `\n${body === previous ? "" : body}`;
    previous = body;
    return attempt;
  });
  return JSON.stringify({ ...row, attempts }) + bodies;
}

export function parseDeliveryRow(text: string): DeliveryRow {
  const end = text.indexOf("\n");
  if (end === -1) return JSON.parse(text);
  const row: DeliveryRow = JSON.parse(text.slice(0, end));
  const bodies = text.slice(end + 1).split("\n");
  let body = "";
  const attempts = row.attempts.map((attempt, index) => {
    body = bodies[index] || body;
    return { ...attempt, body };
  });
  return { ...row, attempts };
}
