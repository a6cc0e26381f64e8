import {
  findProblems,
  hostIdSchema,
  isHostId,
  parseInput,
  projectInputSchema,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { Parsed } from "@hookwright/domain";
import { commitAudited, toAuditedPut } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { problemsOf, sentField } from "../lookups/find-project.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { parseProjectRow, toProject } from "../rows/project-row.ts";
import type { ProjectRow } from "../rows/project-row.ts";
import { readIndexPage } from "../store/index-page.ts";
import { toPositionParts } from "../store/positions.ts";
import type { ProjectUseCases } from "../use-cases.ts";

interface Owner {
  readonly accountId: string;
  readonly accountText: string;
}

/** Sites of accounts. */
export function createProjects(context: ServiceContext): ProjectUseCases {
  const { store, directory, now, nextArrival } = context;

  /** The current or requested account of a site. An invalid `account_id` adds no problem, because the schema reports it. */
  async function findOwner(projectId: string, named: unknown): Promise<Parsed<Owner>> {
    const refuse = (...problems: string[]): Parsed<Owner> => ({ ok: false, problems });
    if (named !== undefined && !(typeof named === "string" && isHostId(named))) return refuse();
    const accountId = (await directory.find("project", projectId)) ?? named;
    if (accountId === undefined) return refuse("account_id: is required");
    if (named !== undefined && named !== accountId)
      return refuse("account_id: the site belongs to another account, and a site cannot be moved");
    const accountText = await store.get(keys.account(accountId));
    if (accountText === undefined) return refuse("account_id: no such account");
    return { ok: true, data: { accountId, accountText } };
  }

  return {
    async put(projectId, body, origin) {
      parseInput(hostIdSchema, projectId, { root: "id" });
      const sent = withoutEmpty(body);
      const parsed = findProblems(projectInputSchema, sent);
      const owner = await findOwner(projectId, sentField(sent, "account_id"));
      if (!owner.ok || !parsed.ok) throw validationFailed([...problemsOf(owner), ...problemsOf(parsed)]);
      const { data: input } = parsed;
      const { accountId, accountText } = owner.data;
      await directory.claim("project", projectId, accountId);
      const key = keys.project(accountId, projectId);
      const { row, created } = await commitAudited(context, key[0], origin, async () => {
        const stored = await store.get(key);
        const before = stored === undefined ? undefined : parseProjectRow(stored);
        const after: ProjectRow = {
          id: projectId,
          account_id: accountId,
          name: input.name ?? before?.name ?? projectId,
          timezone: input.timezone ?? before?.timezone ?? parseAccountRow(accountText).timezone,
          created_at: before?.created_at ?? now(),
          arrival: before?.arrival ?? nextArrival(),
        };
        const position = { createdAt: after.created_at, arrival: after.arrival, id: projectId };
        return {
          commit: {
            checks: [{ key, value: stored }],
            mutations: [
              { type: "set", key, value: JSON.stringify(after) },
              { type: "set", key: [...keys.projectList(accountId), ...toPositionParts(position)], value: "" },
            ],
          },
          result: { row: after, created: before === undefined },
          audited: toAuditedPut({ kind: "project", id: projectId }, { accountId, before, after }),
        };
      });
      return { project: toProject(row), created };
    },

    list: (accountId, page) =>
      readIndexPage(context, {
        accountId,
        list: "projects",
        filters: {},
        page,
        prefixes: [keys.projectList(accountId)],
        dimensions: [],
        rowKey: ({ id }) => keys.project(accountId, id),
        toRow: (text) => toProject(parseProjectRow(text)),
      }),
  };
}
