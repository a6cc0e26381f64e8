import {
  emailListInputSchema,
  findProblems,
  hostIdSchema,
  isHostId,
  parseInput,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { Parsed } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import { commitAudited, toAuditedPut } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { expectProject, findProject, unknownProject } from "../lookups/find-project.ts";
import { problemsOf, sentField } from "../lookups/find-project.ts";
import { toEmailList } from "../rows/email-list-row.ts";
import type { EmailListRow } from "../rows/email-list-row.ts";
import { keys } from "../rows/keys.ts";
import { readIndexPage } from "../store/index-page.ts";
import { toPositionParts } from "../store/positions.ts";
import type { EmailListUseCases } from "../use-cases.ts";

const belongsToAnotherSite = "project_id: the list belongs to another site, and a list cannot be moved";

/** Email lists of sites. A list cannot move to another site. */
export function createEmailLists(context: ServiceContext): EmailListUseCases {
  const { store, directory, now, nextArrival } = context;

  /** The account of a list or of its site. An invalid `project_id` adds no problem, because the schema reports it. */
  async function findOwner(listId: string, named: unknown): Promise<Parsed<string>> {
    const refuse = (...problems: string[]): Parsed<string> => ({ ok: false, problems });
    if (named !== undefined && !(typeof named === "string" && isHostId(named))) return refuse();
    const owner = await directory.find("email-list", listId);
    if (named === undefined)
      return owner === undefined ? refuse("project_id: is required") : { ok: true, data: owner };
    const accountId = owner ?? (await directory.find("project", named));
    if (accountId === undefined) return refuse("project_id: no such site");
    if ((await findProject(store, accountId, named)) === undefined) return refuse(unknownProject);
    const site = await findSite(accountId, listId);
    if (site !== undefined && site !== named) return refuse(belongsToAnotherSite);
    return { ok: true, data: accountId };
  }

  async function findSite(accountId: string, listId: string): Promise<string | undefined> {
    const stored = await store.get(keys.emailList(accountId, listId));
    const row: EmailListRow | undefined = stored === undefined ? undefined : JSON.parse(stored);
    return row?.project_id;
  }

  return {
    async put(listId, body, origin) {
      parseInput(hostIdSchema, listId, { root: "id" });
      const sent = withoutEmpty(body);
      const parsed = findProblems(emailListInputSchema, sent);
      const owner = await findOwner(listId, sentField(sent, "project_id"));
      if (!owner.ok || !parsed.ok) throw validationFailed([...problemsOf(owner), ...problemsOf(parsed)]);
      const { data: input } = parsed;
      const { data: accountId } = owner;
      await directory.claim("email-list", listId, accountId);
      const key = keys.emailList(accountId, listId);
      const { row, created } = await commitAudited(context, key[0], origin, async () => {
        const stored = await store.get(key);
        const before: EmailListRow | undefined = stored === undefined ? undefined : JSON.parse(stored);
        const projectId = input.project_id ?? before?.project_id;
        if (projectId === undefined) throw validationFailed(["project_id: is required"]);
        if (before !== undefined && before.project_id !== projectId)
          throw validationFailed([belongsToAnotherSite]);
        const after: EmailListRow = {
          id: listId,
          project_id: projectId,
          name: input.name ?? before?.name ?? listId,
          created_at: before?.created_at ?? now(),
          arrival: before?.arrival ?? nextArrival(),
        };
        const position = toPositionParts({ createdAt: after.created_at, arrival: after.arrival, id: listId });
        const mutations: Mutation[] = [
          { type: "set", key, value: JSON.stringify(after) },
          { type: "set", key: [...keys.emailListList(accountId), projectId, ...position], value: "" },
        ];
        return {
          commit: { checks: [{ key, value: stored }], mutations },
          result: { row: after, created: before === undefined },
          audited: toAuditedPut({ kind: "email_list", id: listId }, { accountId, before, after }),
        };
      });
      return { emailList: toEmailList(row), created };
    },

    async list(accountId, filters, page) {
      if (filters.project_id !== undefined) await expectProject(store, accountId, filters.project_id);
      return readIndexPage(context, {
        accountId,
        list: "email-lists",
        filters,
        page,
        prefixes: [keys.emailListList(accountId)],
        dimensions: [filters.project_id],
        rowKey: ({ id }) => keys.emailList(accountId, id),
        toRow: (text) => toEmailList(JSON.parse(text)),
      });
    },
  };
}
