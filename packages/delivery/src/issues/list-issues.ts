import type { Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../storage/keys.ts";
import { parseIssues } from "./issue.ts";
import type { IssueRow } from "./issue.ts";

/** The issues of all webhooks of an account, by webhook. Each webhook has at most 21. */
export async function listIssues(
  store: Store,
  accountId: string,
): Promise<ReadonlyMap<string, readonly IssueRow[]>> {
  const found = new Map<string, readonly IssueRow[]>();
  for await (const page of listPages(store, { prefix: keys.issuesOf(accountId) }))
    for (const { key, value } of page) found.set(String(key.at(-1)), parseIssues(value));
  return found;
}
