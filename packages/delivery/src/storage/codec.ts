import type { BodyForm, BodyState, KeptBodies } from "@hookwright/domain";
import { createTextCache } from "@hookwright/storage/text-cache";
import type { FailureClass, HeaderList, PhaseTimes } from "../transport/answer.ts";

export type DeliveryStatus = "pending" | "delivered" | "failed" | "cancelled";
/** `notice`: for somebody who is told about webhooks. It belongs to no published event. */
export type DeliveryKind = "event" | "resend" | "test" | "notice";

/** Whether a failure counts for its webhook. */
export function isCountedKind(kind: DeliveryKind): boolean {
  return kind === "event" || kind === "resend";
}

/** Why a delivery ends without another attempt. */
export type CancelReason =
  | "paused"
  | "switched_off"
  | "webhook_removed"
  | "record_deleted"
  | "account_unavailable";

/** A delivery with all its attempts. Times are in milliseconds. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly target_url: string;
  /** The host may have removed the event. */
  readonly event: string;
  /** The id in its body: of a record, or of an event that was published with an id. */
  readonly record_id: string;
  readonly project_id: string;
  readonly kind: DeliveryKind;
  readonly status: DeliveryStatus;
  readonly created_at: number;
  readonly next_attempt_at: number | null;
  readonly completed_at: number | null;
  /**
   * The arrival number of its record. A record that was deleted and published again under the same id has another number, and this
   * delivery does not send its data. 0 for a test, which has no record.
   */
  readonly record_arrival: number;
  readonly attempts: readonly AttemptRow[];
  /** Why it was cancelled. Earlier versions did not store it. */
  readonly cancel_reason?: CancelReason;
  /** The delivery that was sent again. Earlier versions did not store it. */
  readonly resent_from?: string;
  /** The first delivery of the event, if `resent_from` is a resend. */
  readonly root?: string;
  /** When the event was published, if the webhook was off or paused then and this delivery makes up for it. */
  readonly missed_at?: number;
  /** When the event was published, if this is a resend. Earlier versions did not store it. */
  readonly published_at?: number;
  /** It ended without success, and a resend was accepted. */
  readonly accepted_later?: true;
  /** The trace of its publish, as a W3C `traceparent` of 55 characters. Absent if it was not traced. */
  readonly trace_parent?: string;
  /** The event in the address of its endpoint. Absent: its own event. */
  readonly endpoint_event?: string;
  /** The record that an event with an id is about. It sends its data as published. Absent: the record `record_id`. */
  readonly about?: string;
}

export interface AttemptRow {
  readonly number: number;
  readonly started_at: number;
  readonly duration_ms: number;
  /** The version of the request headers, see `readRequestHeaders`. */
  readonly request_form: number;
  /** The value of the signature header. */
  readonly signature: string;
  /** The exact body that was signed and sent, or its source, or why the log has neither. */
  readonly body: string | BodySource | GoneBody;
  readonly status: number | null;
  /** The headers of the response. */
  readonly headers: HeaderList;
  readonly excerpt: string;
  readonly error: FailureClass | null;
  readonly detail: string | null;
  readonly next_attempt_at: number | null;
  /** Absent if only the headers of the specification were sent. */
  readonly extra?: ExtraHeadersRow;
  /** Their sum is the duration. Absent in rows of earlier versions, and if the transport did not run or does not measure them. */
  readonly phases?: PhaseTimes;
}

/** The extra headers of an attempt. */
export interface ExtraHeadersRow {
  /** The value of `webhook-signature`. Null: no Standard Webhooks headers were sent. */
  readonly standard_signature: string | null;
  /** The names of the owner's own headers. Their values are never logged. */
  readonly custom_headers: readonly string[];
  /** The prefix of the names of the signed headers. Absent: `X-Service`, also in rows of earlier versions. */
  readonly header_prefix?: string;
}

/** What a body was rendered from: a version of the record, and the project as it was. A hundred deliveries share one version. */
export interface BodySource {
  readonly version: number;
  readonly project_name: string;
  readonly project_timezone: string;
  /** Present: the body has the form `standard`, with this time in milliseconds. */
  readonly published_at?: number;
}

/** When the event of a delivery was published: the same for all its attempts and resends. In milliseconds. */
export function publishedAtOf({
  published_at,
  missed_at,
  created_at,
}: Pick<DeliveryRow, "published_at" | "missed_at" | "created_at">): number {
  return published_at ?? missed_at ?? created_at;
}

/** The log has no body any more, and no excerpt of the response. */
export interface GoneBody {
  readonly gone: Exclude<BodyState, "kept">;
}

export function isGone(body: AttemptRow["body"]): body is GoneBody {
  return typeof body !== "string" && "gone" in body;
}

/** The version of the record that a body is made of. */
export function versionOf(body: AttemptRow["body"]): number | undefined {
  return typeof body === "string" || isGone(body) ? undefined : body.version;
}

/** An attempt without its body and the excerpt of its response. One that has none stays as it is. */
export function withoutBody(attempt: AttemptRow, gone: GoneBody["gone"]): AttemptRow {
  return isGone(attempt.body) ? attempt : { ...attempt, body: { gone }, excerpt: "" };
}

/** An attempt as the log keeps it. */
export function toLoggedAttempt(attempt: AttemptRow, keptBodies: KeptBodies = "all"): AttemptRow {
  const isKept = keptBodies === "until_accepted" ? attempt.error !== null : keptBodies === "all";
  return isKept ? attempt : withoutBody(attempt, "not_kept");
}

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

/** A webhook. Times are in milliseconds. */
export interface WebhookRow {
  readonly id: string;
  /** Part of its keys, so it never changes: the event that it was made with, or `*` if it was made with several. */
  readonly event: string;
  /** The names of its events in order, or only `*`: every event. Absent: it has always had only `event`. */
  readonly events?: readonly string[];
  readonly target_url: string;
  readonly project_id: string | null;
  /** The owner's name for it. Earlier versions did not store one. */
  readonly name?: string | null;
  readonly status: "active" | "paused" | "switched_off" | "disabled_by_host";
  /** Present while the operator has disabled it. */
  readonly disabled?: DisabledRow;
  /** Absent if the status has never changed. */
  readonly status_changed_at?: number;
  /** Present until the job that turned it on has sent all that it did not accept since then, or somebody turns it on without a job. */
  readonly unrecovered?: { readonly job_id: string; readonly since: number };
  /** When a test was first accepted. Null: none yet. Absent: unknown, because earlier versions did not store it. */
  readonly test_accepted_at?: number | null;
  /** The owner's limit of attempts per second. Absent or null: none. */
  readonly max_per_second?: number | null;
  /** The limit of the host. The lower one counts. Absent or null: none. */
  readonly host_max_per_second?: number | null;
  /** One delivery after the other, in the order of their creation. Absent: not. */
  readonly ordered?: boolean | undefined;
  /** The form of its bodies. Absent or null: that of the server. */
  readonly body_form?: BodyForm | null;
  readonly created_at: number;
  readonly created_by: {
    readonly type: "key" | "console";
    readonly key_id: string | null;
    readonly name: string | null;
    /** Created by the key of an automation platform: its secret is never rotated. */
    readonly integration: boolean;
  };
}

/** Why the operator disabled a webhook, and what it was before. */
export interface DisabledRow {
  readonly reason: string;
  readonly status_before: "active" | "paused" | "switched_off";
  readonly status_changed_at_before?: number | undefined;
}

/** A webhook that was removed, without secrets and headers. Times are in milliseconds. */
export interface RemovedWebhookRow
  extends
    Omit<WebhookRow, "status">,
    Pick<WebhookHealthRow, "consecutive_failures" | "last_success_at" | "last_failure_at"> {
  /** `gone`: its endpoint answered 410. `key_revoked`: the key that created it was revoked. */
  readonly reason: "person" | "gone" | "key_revoked";
  readonly removed_at: number;
}

/** The counters of a webhook. Only the worker that leases the partition counts. */
export interface WebhookHealthRow {
  readonly consecutive_failures: number;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly last_warning_at: number | null;
  /** No attempt starts before this time. Earlier versions did not store it. */
  readonly backoff_until?: number | null;
}

/** The signing secrets of a webhook, each encrypted. */
export interface SigningSecretsRow {
  readonly webhook_id: string;
  readonly current: string;
  /** Created by a rotation in progress. */
  readonly pending: string | null;
  /** When the rotation began, in milliseconds. Absent without one. */
  readonly pending_since?: number;
  /** The owner's own headers. Absent: none. */
  readonly headers?: SealedHeaders;
  /** The creation brought the secret, so no pattern finds it in a response. Absent: it was generated. */
  readonly is_brought?: true;
}

export interface SealedHeaders {
  readonly names: readonly string[];
  /** All headers, encrypted together. */
  readonly sealed: string;
}

export const initialHealth: WebhookHealthRow = {
  consecutive_failures: 0,
  last_success_at: null,
  last_failure_at: null,
  last_warning_at: null,
  backoff_until: null,
};

/** The events of a webhook: names in order, or only `*`. */
export function eventsOf({
  event,
  events = [event],
}: Pick<WebhookRow, "event" | "events">): readonly string[] {
  return events;
}

/** The attempts that a webhook gets in a second at most: the lower of the limits of owner and host. Null: no limit. */
export function rateOf({
  max_per_second: own = null,
  host_max_per_second: ofHost = null,
}: Pick<WebhookRow, "max_per_second" | "host_max_per_second">): number | null {
  if (own === null || ofHost === null) return own ?? ofHost;
  return Math.min(own, ofHost);
}

/** Whether a webhook gets an event. */
export function receives(webhook: Pick<WebhookRow, "event" | "events">, event: string): boolean {
  return eventsOf(webhook).some((each) => each === event || each === "*");
}

export const parseWebhookRow = createTextCache((text): WebhookRow => JSON.parse(text));
/** For counts over many rows, which would displace the rows in the cache. */
export function parseWebhookStatus(text: string): WebhookRow["status"] {
  const { status }: WebhookRow = JSON.parse(text);
  return status;
}

export const parseSigningSecrets = createTextCache((text): SigningSecretsRow => JSON.parse(text));

export function parseWebhookHealth(text: string | undefined): WebhookHealthRow {
  return text === undefined ? initialHealth : JSON.parse(text);
}

/** Up to this size, the index stores no size: an empty value costs nothing in Redis. Earlier versions stored none at all. */
const smallRowBytes = 1_024;
/** What a small row counts as. */
const bytesOfSmallRow = 768;
const maximumBytesPerUnit = 3;

/**
 * The value of an entry of the log index: the size of the row, and what {@link outcomeOf} needs beside its status. Earlier versions take
 * such a size for that of a small row.
 */
export function renderLogValue({ missed_at, accepted_later }: DeliveryRow, text: string): string {
  return `${renderRowSize(text)}${missed_at === undefined ? "" : "m"}${accepted_later === true ? "d" : ""}`;
}

/** Whether the delivery of an entry of the log index makes up for a missed event. */
export function isOfMissedEvent(logValue: string): boolean {
  return logValue.includes("m");
}

/** Whether the event of an entry of the log index was accepted after its delivery had ended. */
export function isAcceptedLater(logValue: string): boolean {
  return logValue.endsWith("d");
}

/**
 * What became of the event of a delivery, as the ledger counts it. `undefined`: it is a test or a resend, or makes up for a missed event
 * without success so far.
 */
export function outcomeOf({
  kind,
  status,
  missed_at,
  accepted_later,
}: DeliveryRow): DeliveryStatus | undefined {
  if (kind !== "event") return undefined;
  if (accepted_later === true) return "delivered";
  return missed_at === undefined || status === "delivered" ? status : undefined;
}

/** The size of a row in bytes of UTF-8, or nothing for a small row. */
export function renderRowSize(row: string): string {
  if (row.length * maximumBytesPerUnit <= smallRowBytes) return "";
  const bytes = Buffer.byteLength(row);
  return bytes <= smallRowBytes ? "" : String(bytes);
}

/** The bytes that a row counts as. */
export function parseRowSize(value: string): number {
  const bytes = Number.parseInt(value, 10);
  return Number.isSafeInteger(bytes) ? bytes : bytesOfSmallRow;
}

/** About how many bytes an attempt adds to the log. */
export function estimateAttemptBytes({ headers, excerpt, body, extra }: AttemptRow): number {
  let bytes = bytesOfSmallRow + excerpt.length;
  for (const name of extra?.custom_headers ?? []) bytes += name.length;
  for (const text of headers) bytes += text.length;
  return typeof body === "string" ? bytes + body.length : bytes;
}
