import { issueChangeSchema, issueStatuses, parseInput, withoutEmpty } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { listNewestWebhooks, listOwnWebhooks } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { parseChoiceFilter, parseTimeFilter } from "../lookups/parse-filters.ts";
import { keys } from "../rows/keys.ts";
import { parseMarks } from "../rows/marks-row.ts";
import type { Developer, IssueUseCases } from "../use-cases.ts";
import { readIssues, toIssue } from "./read-issues.ts";
import type { KnownIssue } from "./read-issues.ts";

/** More are not listed. */
const maximumListed = 200;

const auditActions = {
  open: "issue.reopened",
  acknowledged: "issue.acknowledged",
  ignored: "issue.ignored",
} as const;

/** Equal failures, and what people say about them. */
export function createIssues(context: ServiceContext): IssueUseCases {
  const { store, now } = context;

  async function onlyOwn(caller: Developer, issues: readonly KnownIssue[]): Promise<readonly KnownIssue[]> {
    const own = await listOwnWebhooks(store, caller);
    return own === undefined
      ? issues
      : issues.filter(({ webhookId }) => own.some(({ id }) => id === webhookId));
  }

  return {
    async list(caller, filters) {
      const { accountId } = caller;
      const { webhook_id: webhookId, project_id: projectId } = filters;
      const status = parseChoiceFilter("status", filters.status, issueStatuses);
      const [since = 0, until = Infinity] = [
        parseTimeFilter("since", filters.since),
        parseTimeFilter("until", filters.until),
      ];
      if (projectId !== undefined) await expectProject(store, accountId, projectId);
      const ofSite = new Set(
        (projectId === undefined ? [] : await listNewestWebhooks(store, accountId))
          .filter(({ project_id: site }) => site === null || site === projectId)
          .map(({ id }) => id),
      );
      return (await onlyOwn(caller, await readIssues(store, accountId)))
        .filter(
          (issue) =>
            (status === undefined ? issue.status !== "ignored" : issue.status === status) &&
            (webhookId ?? issue.webhookId) === issue.webhookId &&
            (projectId === undefined || ofSite.has(issue.webhookId)) &&
            issue.row.last_at >= since &&
            issue.row.first_at < until,
        )
        .slice(0, maximumListed)
        .map(toIssue);
    },

    mark(caller, issueId, input, origin) {
      const { accountId } = caller;
      const { status } = parseInput(issueChangeSchema, withoutEmpty(input));
      const key = keys.marks(accountId);
      return commitAudited(context, partitionOf(accountId), origin, async () => {
        const text = await store.get(key);
        const marks = parseMarks(text);
        const known = await readIssues(store, accountId, marks);
        const issue = (await onlyOwn(caller, known)).find(({ id }) => id === issueId);
        if (issue === undefined) throw noSuch("issue");
        const result = toIssue({ ...issue, status });
        if (issue.status === status) return { result };
        const kept = known.filter(({ id }) => id !== issueId && marks.issues[id] !== undefined);
        const issues = {
          ...Object.fromEntries(kept.map(({ id }) => [id, marks.issues[id]])),
          ...(status !== "open" && { [issueId]: { status, at: now() } }),
        };
        return {
          commit: {
            checks: [{ key, value: text }],
            mutations: [{ type: "set", key, value: JSON.stringify({ ...marks, issues }) }],
          },
          result,
          audited: {
            action: auditActions[status],
            accountId,
            target: { kind: "webhook", id: issue.webhookId },
          },
        };
      });
    },
  };
}
