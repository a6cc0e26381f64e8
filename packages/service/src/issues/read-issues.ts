import { createHash } from "node:crypto";
import { listIssues } from "@hookwright/delivery";
import type { IssueFilter, IssueRow } from "@hookwright/delivery";
import { toTimestamp } from "@hookwright/domain";
import type { Issue, IssueStatus } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { parseMarks } from "../rows/marks-row.ts";
import type { MarksRow } from "../rows/marks-row.ts";

/** An issue with its status now. */
export interface KnownIssue {
  readonly id: string;
  readonly webhookId: string;
  readonly row: IssueRow;
  /** All issues of the webhook. */
  readonly rows: readonly IssueRow[];
  readonly status: IssueStatus;
}

/** All issues of an account, those that came last first. */
export async function readIssues(store: Store, accountId: string, marks?: MarksRow): Promise<KnownIssue[]> {
  const { issues } = marks ?? parseMarks(await store.get(keys.marks(accountId)));
  return [...(await listIssues(store, accountId))]
    .flatMap(([webhookId, rows]) =>
      // A new failure is appended. So of two with the same time, the later row is newer.
      rows.toReversed().map((row) => {
        const id = toId(webhookId, row);
        return { id, webhookId, row, rows, status: statusOf(row, issues[id]) };
      }),
    )
    .toSorted((a, b) => b.row.last_at - a.row.last_at);
}

function toId(webhookId: string, { status, error, line }: IssueRow): string {
  const text = JSON.stringify([webhookId, status, error, line]);
  return `iss_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}

/** What was acknowledged is open again if it came again after a day without it. */
function statusOf({ since }: IssueRow, mark: MarksRow["issues"][string] | undefined): IssueStatus {
  if (mark === undefined || (mark.status === "acknowledged" && mark.at < since)) return "open";
  return mark.status;
}

export function toIssue({ id, webhookId, row, status }: KnownIssue): Issue {
  return {
    id,
    webhook_id: webhookId,
    status,
    http_status: row.status,
    error: row.error,
    response: row.line === "" ? null : row.line,
    deliveries: row.deliveries,
    attempts: row.attempts,
    first_at: toTimestamp(row.first_at),
    since: toTimestamp(row.since),
    last_at: toTimestamp(row.last_at),
    deliveries_since: toTimestamp(row.created_since),
    last_delivery_id: row.last_delivery,
  };
}

/** The filter of the log for an issue. An unknown one has no deliveries. */
export async function findIssueFilter(store: Store, accountId: string, id: string): Promise<IssueFilter> {
  const found = (await readIssues(store, accountId)).find((issue) => issue.id === id);
  if (found === undefined) return { webhook_id: "", issue: nothing, rows: [] };
  return { webhook_id: found.webhookId, issue: found.row, rows: found.rows };
}

const nothing = { status: null, error: null, line: "" };
