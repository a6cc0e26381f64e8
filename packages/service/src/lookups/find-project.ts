import { HookwrightError, isHostId, validationFailed } from "@hookwright/domain";
import type { Parsed } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { parseProjectRow } from "../rows/project-row.ts";
import type { ProjectRow } from "../rows/project-row.ts";
import type { Developer } from "../use-cases.ts";
import type { Directory } from "./directory.ts";

/** The site, if it belongs to the account. */
export async function findProject(
  store: Store,
  accountId: string,
  projectId: string,
): Promise<ProjectRow | undefined> {
  if (!isHostId(projectId)) return undefined;
  const text = await store.get(keys.project(accountId, projectId));
  return text === undefined ? undefined : parseProjectRow(text);
}

/** The site that was added first. Undefined if the account has none. */
export async function findOldestProject(store: Store, accountId: string): Promise<ProjectRow | undefined> {
  const [oldest] = await store.list({ prefix: keys.projectList(accountId), limit: 1 });
  const id = oldest?.key.at(-1);
  return typeof id === "string" ? findProject(store, accountId, id) : undefined;
}

/**
 * The site, which must belong to the account.
 *
 * @throws HookwrightError `validation_failed`, with the same message for unknown sites and sites of other accounts
 */
export async function expectProject(store: Store, accountId: string, projectId: string): Promise<ProjectRow> {
  const project = await findProject(store, accountId, projectId);
  if (project !== undefined) return project;
  throw validationFailed([unknownProject]);
}

/**
 * The site that a webhook or listener is for.
 *
 * @throws HookwrightError `invalid_project`
 */
export async function expectSite(store: Store, accountId: string, projectId: string): Promise<ProjectRow> {
  const project = await findProject(store, accountId, projectId);
  if (project !== undefined) return project;
  throw new HookwrightError("invalid_project", unknownProject);
}

/**
 * The site that a webhook or listener of a caller is for. A key of one site has only this one.
 *
 * @returns undefined: all sites
 * @throws HookwrightError `invalid_project`
 */
export async function expectSiteOf(
  store: Store,
  { accountId, projectId: own }: Developer,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined) return own;
  if (own !== undefined && named !== own) throw new HookwrightError("invalid_project", unknownProject);
  return (await expectSite(store, accountId, named)).id;
}

/**
 * The filter by site of a list. A key of one site lists only what belongs to it.
 *
 * @throws HookwrightError `validation_failed`
 */
export function siteFilter(
  { projectId: own }: Pick<Developer, "projectId">,
  named: string | undefined,
): string | undefined {
  if (own !== undefined && named !== undefined && named !== own) throw validationFailed([unknownProject]);
  return own ?? named;
}

/**
 * The parsed body, whose site must belong to the account.
 *
 * @param options.own only this site exists. @default all sites of the account
 * @throws HookwrightError `validation_failed` with all problems of the body
 */
export async function expectOfProject<Input extends { readonly project_id: string }>(
  store: Store,
  accountId: string,
  {
    sent,
    parsed,
    own,
  }: { readonly sent: unknown; readonly parsed: Parsed<Input>; readonly own: string | undefined },
): Promise<Input> {
  const named = parsed.ok ? parsed.data.project_id : sentField(sent, "project_id");
  const problems = await findProjectProblems(store, accountId, named, own);
  if (parsed.ok && problems.length === 0) return parsed.data;
  throw validationFailed([...problems, ...problemsOf(parsed)]);
}

/**
 * Checks the site that an unvalidated body names, if it names one.
 *
 * @param own only this site exists. @default all sites of the account
 */
export async function findProjectProblems(
  store: Store,
  accountId: string,
  named: unknown,
  own?: string,
): Promise<readonly string[]> {
  if (typeof named !== "string") return [];
  const isKnown = (own ?? named) === named && (await findProject(store, accountId, named)) !== undefined;
  return isKnown ? [] : [unknownProject];
}

export const unknownProject = "project_id: is not one of the account's sites";

/**
 * The account of a site.
 *
 * @throws HookwrightError `validation_failed` if there is no such site
 */
export async function accountOfProject(directory: Directory, projectId: string): Promise<string> {
  const accountId = await directory.find("project", projectId);
  if (accountId === undefined) throw new HookwrightError("validation_failed", "project_id: no such site");
  return accountId;
}

/** Reads one field of an unvalidated body, so that the response can list all problems of the body. */
export function sentField(sent: unknown, name: string): unknown {
  if (typeof sent !== "object" || sent === null) return undefined;
  // Reads only this field, because a body may have very many fields.
  return Object.getOwnPropertyDescriptor(sent, name)?.value;
}

export function problemsOf(parsed: Parsed<unknown>): readonly string[] {
  return parsed.ok ? [] : parsed.problems;
}
