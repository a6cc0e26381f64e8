import { toFailureLine } from "@hookwright/domain";
import { isCountedKind, isGone } from "../storage/delivery-row.ts";
import type { AttemptRow, DeliveryRow } from "../storage/delivery-row.ts";

/** Equal failures of one webhook. Times are in milliseconds. */
export interface IssueRow {
  /** The HTTP status. Null: no response arrived, or this is the row of the others. */
  readonly status: number | null;
  /** Null: this row counts all failures that have no row of their own. */
  readonly error: AttemptRow["error"];
  /** What the response says, see `toFailureLine`. Empty without a response. */
  readonly line: string;
  /** Deliveries with at least one such attempt. */
  readonly deliveries: number;
  readonly attempts: number;
  /** When the oldest of the deliveries was created. */
  readonly created_since: number;
  readonly first_at: number;
  /** When it came again after a day without it, else `first_at`. */
  readonly since: number;
  readonly last_at: number;
  /** The delivery of the last one. */
  readonly last_delivery: string;
}

type Failure = Pick<IssueRow, "status" | "error" | "line">;

/** Rows of one webhook, beside that of the others. */
const maximumRows = 20;
/** After this time without a failure it counts as fixed: another one begins anew, and its row may be replaced. */
const fixedAfterMs = 24 * 3_600_000;
export const issueLifetimeMs = 31 * 24 * 3_600_000;

const others: Failure = { status: null, error: null, line: "" };

function toFailure({ status, error, excerpt }: AttemptRow): Failure {
  return { status, error, line: status === null ? "" : toFailureLine(excerpt) };
}

function isSame(left: Failure, right: Failure): boolean {
  return left.status === right.status && left.error === right.error && left.line === right.line;
}

/** Whether an attempt failed in this way. If the log does not have its response any more, only status and error tell. */
function isOf(issue: Failure, rows: readonly Failure[], attempt: AttemptRow): boolean {
  if (attempt.error === null) return false;
  const isUnread = isGone(attempt.body);
  const failure = toFailure(attempt);
  const fits = (row: Failure): boolean => isSame(row, isUnread ? { ...failure, line: row.line } : failure);
  return issue.error === null ? !rows.some(fits) : fits(issue);
}

/** Which deliveries an issue has. */
export interface IssueFilter {
  readonly webhook_id: string;
  readonly issue: Failure;
  /** All issues of the webhook. */
  readonly rows: readonly Failure[];
}

/** Whether a delivery belongs to an issue. Tests belong to none. */
export function hasFailure(delivery: DeliveryRow, { webhook_id, issue, rows }: IssueFilter): boolean {
  return (
    delivery.webhook_id === webhook_id &&
    isCountedKind(delivery.kind) &&
    delivery.attempts.some((attempt) => isOf(issue, rows, attempt))
  );
}

/**
 * The issues of a webhook after attempts that failed. Each is the newest attempt of its delivery.
 *
 * @returns `undefined`: nothing changes
 */
export function advanceIssues(
  before: { readonly text: string | undefined } | undefined,
  failed: readonly DeliveryRow[],
  now: number,
): string | undefined {
  if (before === undefined || failed.length === 0) return undefined;
  const rows = failed.reduce((rows, delivery) => addFailure(rows, delivery, now), parseIssues(before.text));
  return JSON.stringify(rows);
}

function addFailure(before: readonly IssueRow[], delivery: DeliveryRow, now: number): readonly IssueRow[] {
  const attempt = delivery.attempts.at(-1);
  if (attempt === undefined) return before;
  const rows = before.filter(({ last_at }) => last_at > now - issueLifetimeMs);
  let failure = toFailure(attempt);
  let known = rows.find((row) => isSame(row, failure));
  if (known === undefined && rows.filter(({ error }) => error !== null).length >= maximumRows) {
    const [oldest] = rows.filter(({ error }) => error !== null).toSorted((a, b) => a.last_at - b.last_at);
    if (oldest !== undefined && oldest.last_at <= now - fixedAfterMs) rows.splice(rows.indexOf(oldest), 1);
    else {
      failure = others;
      known = rows.find((row) => isSame(row, others));
    }
  }
  const earlier = delivery.attempts.slice(0, -1);
  const isFirst = !earlier.some((each) => isOf(failure, rows, each));
  const added: IssueRow = {
    ...failure,
    deliveries: (known?.deliveries ?? 0) + (isFirst ? 1 : 0),
    attempts: (known?.attempts ?? 0) + 1,
    created_since: Math.min(known?.created_since ?? now, delivery.created_at),
    first_at: known?.first_at ?? now,
    since: known === undefined || known.last_at <= now - fixedAfterMs ? now : known.since,
    last_at: now,
    last_delivery: delivery.id,
  };
  return [...rows.filter((row) => row !== known), added];
}

/** A row that cannot be read starts again. */
export function parseIssues(text: string | undefined): readonly IssueRow[] {
  try {
    return text === undefined ? [] : JSON.parse(text);
  } catch {
    return [];
  }
}
