import type { BodyState, KeptBodies } from "@hookwright/domain";
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

/** Removes the body of an attempt, and the excerpt of its response. If the body is gone already, nothing changes. */
export function withoutBody(attempt: AttemptRow, gone: GoneBody["gone"]): AttemptRow {
  return isGone(attempt.body) ? attempt : { ...attempt, body: { gone }, excerpt: "" };
}

/** An attempt as the log keeps it. */
export function toLoggedAttempt(attempt: AttemptRow, keptBodies: KeptBodies = "all"): AttemptRow {
  const isKept = keptBodies === "until_accepted" ? attempt.error !== null : keptBodies === "all";
  return isKept ? attempt : withoutBody(attempt, "not_kept");
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
