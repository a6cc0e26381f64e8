import { idsSince } from "@hookwright/domain";
import { hasFailure } from "../issues/issue.ts";
import type { IssueFilter } from "../issues/issue.ts";
import { outcomeOf } from "../storage/delivery-row.ts";
import type { DeliveryRow, DeliveryStatus } from "../storage/delivery-row.ts";

/** In the order of the keys of the log index. */
export const indexedFilters = ["event", "webhook_id", "project_id", "status", "kind"] as const;

type IndexedFilters = { readonly [Name in (typeof indexedFilters)[number]]?: string | undefined };

/** `undefined`: any. The filters of the index are exact values. */
export interface LogFilters extends IndexedFilters {
  /** What became of the event, see `outcomeOf`. An event counts for the time at which it was published. */
  readonly outcome?: DeliveryStatus | undefined;
  /** Created at this time or later, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Created before this time, in milliseconds since the epoch. */
  readonly until?: number | undefined;
  /** The status of the response to the newest attempt. */
  readonly http_status?: number | undefined;
  /** The error class of the newest attempt. */
  readonly error?: string | undefined;
  /** Only deliveries with such a failure. */
  readonly issue?: IssueFilter | undefined;
  /** At least this many attempts were made. */
  readonly attempts_min?: number | undefined;
}

/** An id is created up to this long before or after the time that its row has. */
const idToleranceMs = 60_000;

/** Whether the index alone cannot answer: rows are read and filtered. */
export function needsRows(filters: LogFilters): boolean {
  const { outcome, since, until } = filters;
  return outcome !== undefined || since !== undefined || until !== undefined || needsAttempts(filters);
}

/** The filters with those that an outcome implies. An event that was delivered later is found by any status. */
export function withOutcome(filters: LogFilters): LogFilters {
  const { outcome } = filters;
  if (outcome === undefined) return filters;
  const { kind = "event", status = outcome === "delivered" ? undefined : outcome } = filters;
  return { ...filters, kind, status };
}

/** Whether only deliveries with an attempt can match. */
export function needsAttempts({ http_status, error, issue, attempts_min = 0 }: LogFilters): boolean {
  return http_status !== undefined || error !== undefined || issue !== undefined || attempts_min > 0;
}

/** No delivery before this id can match. */
export function firstIdOf({ since }: LogFilters): string {
  return since === undefined ? "" : idsSince("dlv", since - idToleranceMs);
}

/** Only deliveries before this id can match. `undefined`: all can. Deliveries that make up for missed events match at any later id. */
export function endOf(filters: LogFilters, before: string | undefined): string | undefined {
  const end = mayMatchMissed(filters) ? undefined : endOfOthers(filters);
  return before === undefined || (end !== undefined && end < before) ? end : before;
}

/** The end of the period as an id. Only deliveries that make up for missed events may match from this id on. `undefined`: no end. */
export function endOfOthers({ until }: LogFilters): string | undefined {
  return until === undefined ? undefined : idsSince("dlv", until + idToleranceMs);
}

/** Whether deliveries that make up for missed events may match. Their event counts for the time at which it was missed. */
export function mayMatchMissed({ outcome }: LogFilters): boolean {
  return outcome === "delivered";
}

/** Returns whether the id of a delivery alone shows that it was created in the period of the filters. */
export function createPeriodCheck({ since, until }: LogFilters): (id: string) => boolean {
  const from = since === undefined ? "" : idsSince("dlv", since + idToleranceMs);
  const end = until === undefined ? undefined : idsSince("dlv", until - idToleranceMs);
  return (id) => id >= from && (end === undefined || id < end);
}

export function matchesFilters(row: DeliveryRow, filters: LogFilters): boolean {
  if (!indexedFilters.every((name) => (filters[name] ?? row[name]) === row[name])) return false;
  const { outcome, since, until, http_status, error, issue, attempts_min = 0 } = filters;
  if (outcome !== undefined && outcomeOf(row) !== outcome) return false;
  const at = outcome === undefined ? row.created_at : (row.missed_at ?? row.created_at);
  if ((since !== undefined && at < since) || (until !== undefined && at >= until)) return false;
  const newest = row.attempts.at(-1);
  if (http_status !== undefined && newest?.status !== http_status) return false;
  if (error !== undefined && newest?.error !== error) return false;
  if (issue !== undefined && !hasFailure(row, issue)) return false;
  return row.attempts.length >= attempts_min;
}
