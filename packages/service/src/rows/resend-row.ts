import type { EndedPosition, IssueFilter } from "@hookwright/delivery";
import { recoveredStatuses, toTimestamp } from "@hookwright/domain";
import type { AttemptError, EndedStatus, Recovery, Resend } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";
import type { MissedPosition } from "./missed-events.ts";
import { toTimestampOrNull } from "./to-timestamp-or-null.ts";

/** What a resend job sends again: all conditions hold. Times are milliseconds since the epoch. */
export interface ResendFilter {
  /** Empty: no deliveries, only events that were not sent. */
  readonly statuses: readonly EndedStatus[];
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** As they were asked for. The parts have the webhooks that are read. */
  readonly webhook_ids?: readonly string[] | undefined;
  readonly project_id?: string | undefined;
  readonly event?: string | undefined;
  /** Only the deliveries of the publishes. */
  readonly outcome?: "failed" | "cancelled" | undefined;
  readonly http_status?: number | undefined;
  readonly error?: AttemptError | undefined;
  readonly issue?: string | undefined;
  readonly q?: string | undefined;
  /** How many deliveries were chosen. The parts have their ids. */
  readonly chosen?: number | undefined;
}

/**
 * Where a part stands: first in the log, then in the missed events. `after` is undefined at the beginning of each. The log is read event
 * by event: first that of the webhook's key, without an `event` here. Deliveries that a text names, or that were chosen, are read instead.
 */
export type ResendPosition =
  | { readonly list: "log"; readonly event?: string | undefined; readonly after?: EndedPosition | undefined }
  | { readonly list: "named"; readonly before?: string | undefined }
  | { readonly list: "chosen"; readonly index: number }
  | { readonly list: "missed"; readonly after?: MissedPosition | undefined }
  | { readonly list: "end" };

/** What a job sends to one webhook. */
export interface ResendPart {
  readonly webhook_id: string;
  /** Of the webhook's key, see `WebhookRow.event`. */
  readonly event: string;
  /** The webhook's site when the job started. Null: every site. */
  readonly project_id: string | null;
  /** Only what ended at this time or later, or was missed then. Absent: at any time. */
  readonly ended_since?: number | undefined;
  /** The deliveries that were chosen. Absent: all that the filter matches. */
  readonly delivery_ids?: readonly string[] | undefined;
  readonly found: number;
  readonly resent: number;
  readonly position: ResendPosition;
}

/** A stored job that sends again what a filter matches. Times are milliseconds since the epoch. */
export interface ResendRow {
  readonly id: string;
  /** A recovery has one part. It is the only one of its webhook, and stops when its webhook is not active. */
  readonly kind: "resend" | "recovery";
  readonly filter: ResendFilter;
  readonly not_sent: boolean;
  readonly status: Resend["status"];
  readonly created_at: number;
  readonly finished_at: number | null;
  /** It counts all matches first, then it sends them. */
  readonly stage: "count" | "send";
  /** In the order in which they are sent. None: no delivery that was chosen exists. */
  readonly parts: readonly ResendPart[];
  /** How many webhooks the start has turned on; 0 before it. Absent: a job that turns none on. */
  readonly turned_on?: number | undefined;
  /** Chosen deliveries that do not exist. @default 0 */
  readonly missing?: number | undefined;
  /** The failure of `filter.issue` at the start of the job. Absent: there is no such filter. */
  readonly issue?: IssueFilter | undefined;
  /** The place among the running jobs of the account, besides recoveries. Absent in jobs of older versions. */
  readonly slot?: string | undefined;
  /** The API key that started it. @default it was no key */
  readonly key_id?: string | undefined;
}

/** How long an ended job can be read. */
export const resendLifetimeMs = 30 * 24 * 60 * 60 * 1_000;

export function parseResendRow(text: string): ResendRow {
  const row: ResendRow | RecoveryRow = JSON.parse(text);
  return "parts" in row ? row : fromRecovery(row);
}

/** How a recovery is stored: versions without other jobs read and continue it. That of one site is stored whole: they would send all sites. */
interface RecoveryRow
  extends
    Omit<ResendRow, "kind" | "filter" | "not_sent" | "parts">,
    Pick<ResendPart, "webhook_id" | "event" | "project_id" | "found" | "resent" | "position"> {
  readonly since: number;
  readonly until: number;
  readonly statuses: readonly EndedStatus[];
  readonly missed: boolean;
}

function fromRecovery({
  webhook_id,
  event,
  project_id,
  found,
  resent,
  position,
  since,
  until,
  statuses,
  missed,
  ...row
}: RecoveryRow): ResendRow {
  return {
    ...row,
    kind: "recovery",
    // A recovery that turned its webhook on has no `until`. It also sends what was missed up to that commit, see `findMissed`.
    filter: { statuses, ...(row.turned_on === undefined && { until }) },
    not_sent: missed,
    parts: [{ webhook_id, event, project_id, ended_since: since, found, resent, position }],
  };
}

function toStored(job: ResendRow): ResendRow | RecoveryRow {
  const { kind, filter, not_sent: missed, parts, ...row } = job;
  const [part] = parts;
  if (kind !== "recovery" || part === undefined || filter.project_id !== undefined) return job;
  const { until = row.created_at, statuses } = filter;
  const { ended_since: since = 0, ...rest } = part;
  return { ...row, ...rest, since, until, statuses, missed };
}

/** Where a part begins, in each of the two stages. */
export function startOf(
  { filter }: Pick<ResendRow, "filter">,
  { delivery_ids }: Pick<ResendPart, "delivery_ids">,
): ResendPosition {
  if (delivery_ids !== undefined) return { list: "chosen", index: 0 };
  if (filter.statuses.length === 0) return { list: "missed" };
  return filter.q === undefined ? { list: "log" } : { list: "named" };
}

export function toResend({ filter, parts, missing = 0, ...row }: ResendRow): Resend {
  const { until, statuses, webhook_ids, ...rest } = filter;
  const isRecovery = row.kind === "recovery";
  const { since = isRecovery ? parts[0]?.ended_since : undefined, ...others } = rest;
  const webhookIds = isRecovery ? parts.map(({ webhook_id: id }) => id) : webhook_ids;
  return {
    id: row.id,
    filter: {
      statuses: [...statuses],
      ...(webhookIds !== undefined && { webhook_ids: [...webhookIds] }),
      ...others,
      ...(since !== undefined && { since: toTimestamp(since) }),
      ...(until !== undefined && { until: toTimestamp(until) }),
    },
    not_sent: row.not_sent,
    ...(row.turned_on !== undefined && { turned_on: row.turned_on }),
    status: row.status,
    found: missing + foundOf(parts),
    resent: resentOf(parts),
    skipped: row.stage === "count" ? 0 : parts.reduce((sum, part) => sum + skippedOf(part), missing),
    created_at: toTimestamp(row.created_at),
    finished_at: toTimestampOrNull(row.finished_at),
  };
}

/** Known when a part has ended: what was found and is not sent. */
function skippedOf({ position, found, resent }: ResendPart): number {
  return position.list === "end" ? Math.max(0, found - resent) : 0;
}

/** What was missed while the webhooks were turned on is sent, but was not counted. */
function foundOf(parts: readonly ResendPart[]): number {
  return parts.reduce((sum, { found, resent }) => sum + Math.max(found, resent), 0);
}

function resentOf(parts: readonly ResendPart[]): number {
  return parts.reduce((sum, { resent }) => sum + resent, 0);
}

export function toRecovery({ filter, parts, ...row }: ResendRow): Recovery {
  return {
    id: row.id,
    webhook_id: parts[0]?.webhook_id ?? "",
    since: toTimestamp(parts[0]?.ended_since ?? 0),
    until: toTimestamp(filter.until ?? row.created_at),
    statuses: recoveredStatuses.filter((status) => filter.statuses.includes(status)),
    missed: row.not_sent,
    status: row.status,
    found: foundOf(parts),
    resent: resentOf(parts),
    created_at: toTimestamp(row.created_at),
    finished_at: toTimestampOrNull(row.finished_at),
  };
}

/** Writes a job. An ended one expires, and another recovery of its webhook may start. */
export function toResendMutations(accountId: string, row: ResendRow): Mutation[] {
  const key = keys.resend(accountId, row.id);
  const value = JSON.stringify(toStored(row));
  if (row.status === "running") return [{ type: "set", key, value }];
  const expiresInMs = resendLifetimeMs;
  return [
    { type: "set", key, value, expiresInMs },
    { ...toOwnerEntry(accountId, row), expiresInMs },
    { type: "delete", key: runningKeyOf(accountId, row) },
  ];
}

/** Lists a job with its owner. The value is the only site that it sends, if it was limited to one. */
export function toOwnerEntry(accountId: string, row: ResendRow) {
  const key = keys.resendOfOwner(accountId, ownerOf(row), row.id);
  return { type: "set", key, value: row.filter.project_id ?? "" } as const;
}

/** The webhook of a recovery. The other jobs of an account have one owner. */
export function ownerOf({ kind, parts }: Pick<ResendRow, "kind" | "parts">): string {
  return kind === "recovery" ? (parts[0]?.webhook_id ?? "") : jobsOfAccount;
}

/** The owner of jobs with several webhooks. No id of a webhook has white space. */
export const jobsOfAccount = "the account";

/** A recovery has the key of its webhook, so only one of them runs. The other jobs of an account share a few keys. */
export function runningKeyOf(accountId: string, row: Pick<ResendRow, "id" | "kind" | "parts" | "slot">): Key {
  const [part] = row.parts;
  return row.kind === "recovery" && part !== undefined
    ? recoveryRunningKey(accountId, part)
    : keys.resendRunning(accountId, jobsOfAccount, row.slot ?? row.id);
}

export function recoveryRunningKey(
  accountId: string,
  { event, webhook_id: webhookId }: Pick<ResendPart, "event" | "webhook_id">,
): Key {
  return keys.resendRunning(accountId, event, webhookId);
}

export function endResend(row: ResendRow, status: "finished" | "stopped", now: number): ResendRow {
  return { ...row, status, finished_at: now };
}
