import type { PhaseTimes } from "../transport/answer.ts";
import { isGone } from "./delivery-row.ts";
import type { AttemptRow, DeliveryRow, ExtraHeadersRow, GoneBody } from "./delivery-row.ts";

type HeadCells = ReturnType<typeof toCells> extends readonly [...infer Head, unknown] ? Head : never;
type AttemptCells = readonly [
  ...ReturnType<typeof toBasicCells>,
  extra?: ExtraCells | null,
  phases?: PhaseTimes,
];
type ExtraCells = readonly [
  standardSignature: string | null,
  customHeaders: readonly string[],
  headerPrefix?: string,
];
/** Fields that few rows have. They are the last cell, and absent if there are none. */
type RareFields = Pick<
  DeliveryRow,
  | "cancel_reason"
  | "resent_from"
  | "trace_parent"
  | "endpoint_event"
  | "root"
  | "missed_at"
  | "published_at"
  | "accepted_later"
  | "about"
>;
type DeliveryCells = readonly [...HeadCells, ...(AttemptCells | RareFields)[]];

/** A row is an array without field names, because a log may have millions of rows. */
export function renderDeliveryRow(row: DeliveryRow): string {
  const [first, ...retries] = row.attempts;
  const cells = toCells(row, first);
  const { cancel_reason, resent_from, trace_parent, endpoint_event, root, accepted_later, about } = row;
  const { missed_at, published_at } = row;
  if (
    (cancel_reason ??
      resent_from ??
      trace_parent ??
      endpoint_event ??
      missed_at ??
      accepted_later ??
      about) !== undefined
  ) {
    const rare = {
      cancel_reason,
      resent_from,
      trace_parent,
      endpoint_event,
      root,
      missed_at,
      published_at,
      accepted_later,
      about,
    };
    return JSON.stringify([...cells.slice(0, -1), ...row.attempts.map(toAttemptCells), rare]);
  }
  if (first === undefined) return JSON.stringify(cells.slice(0, -1));
  return JSON.stringify(retries.length === 0 ? cells : [...cells, ...retries.map(toAttemptCells)]);
}

/** Created with the first attempt, which nearly every row has: an array that grows takes twice the memory. */
function toCells(row: DeliveryRow, first: AttemptRow | undefined) {
  return [
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
  ] as const;
}

function toAttemptCells(attempt: AttemptRow): AttemptCells {
  const cells = toBasicCells(attempt);
  const { extra, phases } = attempt;
  if (extra === undefined && phases === undefined) return cells;
  const extraCells = extra === undefined ? null : toExtraCells(extra);
  return phases === undefined ? [...cells, extraCells] : [...cells, extraCells, phases];
}

function toExtraCells({ standard_signature, custom_headers, header_prefix }: ExtraHeadersRow): ExtraCells {
  return header_prefix === undefined
    ? [standard_signature, custom_headers]
    : [standard_signature, custom_headers, header_prefix];
}

function toExtra([standardSignature, customHeaders, headerPrefix]: ExtraCells): ExtraHeadersRow {
  return {
    standard_signature: standardSignature,
    custom_headers: customHeaders,
    ...(headerPrefix !== undefined && { header_prefix: headerPrefix }),
  };
}

type BodyCell =
  | string
  | readonly [version: number, projectName: string, projectTimezone: string, publishedAt?: number]
  | readonly [GoneBody["gone"]];

function toBodyCell(body: AttemptRow["body"]): BodyCell {
  if (typeof body === "string") return body;
  if (isGone(body)) return [body.gone];
  const { version, project_name, project_timezone, published_at } = body;
  return published_at === undefined
    ? [version, project_name, project_timezone]
    : [version, project_name, project_timezone, published_at];
}

function toBody(cell: BodyCell): AttemptRow["body"] {
  if (typeof cell === "string") return cell;
  if (cell.length === 1) return { gone: cell[0] };
  const [version, project_name, project_timezone, published_at] = cell;
  const source = { version, project_name, project_timezone };
  return published_at === undefined ? source : { ...source, published_at };
}

function toBasicCells(attempt: AttemptRow) {
  return [
    attempt.number,
    attempt.started_at,
    attempt.duration_ms,
    attempt.request_form,
    attempt.signature,
    toBodyCell(attempt.body),
    attempt.status,
    attempt.headers,
    attempt.excerpt,
    attempt.error,
    attempt.detail,
    attempt.next_attempt_at,
  ] as const;
}

export function parseDeliveryRow(text: string): DeliveryRow {
  const cells: DeliveryCells = JSON.parse(text);
  const [, , , , , , , , , , , , ...rest] = cells;
  const last = rest.at(-1);
  const rare = last === undefined || isAttempt(last) ? undefined : last;
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
    attempts: rest.filter(isAttempt).map(toAttemptRow),
    ...rare,
  };
}

/** Returns `undefined` for a row that is damaged or absent. */
export function parseIfReadable(text: string | undefined): DeliveryRow | undefined {
  try {
    return text === undefined ? undefined : parseDeliveryRow(text);
  } catch {
    return undefined;
  }
}

function isAttempt(cell: AttemptCells | RareFields): cell is AttemptCells {
  return Array.isArray(cell);
}

function toAttemptRow(cells: AttemptCells): AttemptRow {
  const [extra, phases] = [cells[12], cells[13]];
  return {
    number: cells[0],
    started_at: cells[1],
    duration_ms: cells[2],
    request_form: cells[3],
    signature: cells[4],
    body: toBody(cells[5]),
    status: cells[6],
    headers: cells[7],
    excerpt: cells[8],
    error: cells[9],
    detail: cells[10],
    next_attempt_at: cells[11],
    ...(extra && { extra: toExtra(extra) }),
    ...(phases && { phases }),
  };
}
