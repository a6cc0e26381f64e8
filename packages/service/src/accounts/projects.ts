import {
  HookwrightError,
  hostIdSchema,
  isHostId,
  parseInput,
  projectInputSchema,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { keys } from "../store/keys.ts";
import { readIndexPage } from "../store/index-page.ts";
import { toPositionParts } from "../store/positions.ts";
import type { ProjectUseCases } from "../use-cases.ts";
import { parseAccountRow, parseProjectRow, toProject } from "./account-row.ts";
import type { ProjectRow } from "./account-row.ts";
import type { Directory } from "./directory.ts";

/** Sites of accounts. */
export function createProjects(context: ServiceContext): ProjectUseCases {
  const { store, directory, now, nextArrival } = context;
  return {
    async put(projectId, body) {
      parseInput(hostIdSchema, projectId, { root: "id" });
      const input = parseInput(projectInputSchema, withoutEmpty(body));
      const owner = await directory.find("project", projectId);
      const accountId = owner ?? input.account_id;
      if (accountId === undefined) throw validationFailed(["account_id: is required"]);
      if (input.account_id !== undefined && input.account_id !== accountId) {
        throw validationFailed([
          "account_id: the site belongs to another account, and a site cannot be moved",
        ]);
      }
      const accountText = await store.get(keys.account(accountId));
      if (accountText === undefined) throw validationFailed(["account_id: no such account"]);
      await directory.claim("project", projectId, accountId);
      const key = keys.project(accountId, projectId);
      const { row, created } = await commitUntilDone(store, key[0], async () => {
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

/** The site, when it is one of the account's. */
export async function findProject(
  store: Store,
  accountId: string,
  projectId: string,
): Promise<ProjectRow | undefined> {
  if (!isHostId(projectId)) return undefined;
  const text = await store.get(keys.project(accountId, projectId));
  return text === undefined ? undefined : parseProjectRow(text);
}

/**
 * The site, which must be one of the account's.
 *
 * @throws HookwrightError `validation_failed`: unknown sites and those of others are not told apart
 */
export async function expectProject(store: Store, accountId: string, projectId: string): Promise<ProjectRow> {
  const project = await findProject(store, accountId, projectId);
  if (project !== undefined) return project;
  throw new HookwrightError("validation_failed", "project_id: is not one of the account's sites");
}

/**
 * The account that a site named by the host belongs to.
 *
 * @throws HookwrightError `validation_failed`: unknown sites and foreign ones are not told apart
 */
export async function accountOfProject(directory: Directory, projectId: string): Promise<string> {
  const accountId = await directory.find("project", projectId);
  if (accountId === undefined) throw new HookwrightError("validation_failed", "project_id: no such site");
  return accountId;
}
