import type { BodyForm } from "@hookwright/domain";
import { createTextCache } from "@hookwright/storage/text-cache";

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
