import { isHostId } from "@hookwright/domain";
import type { Parsed } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { RepositoryError } from "./repository.ts";

/**
 * What a repository answered, once it was read.
 *
 * @param name of the function, such as `contacts.get`
 * @throws RepositoryError `invalid_answer`, naming every field that is wrong
 */
export function expectRead<Data>(name: string, parsed: Parsed<Data>): Data {
  if (parsed.ok) return parsed.data;
  throw new RepositoryError(
    "invalid_answer",
    `${name} answered what must not go out: ${parsed.problems.join("; ")}`,
  );
}

/**
 * The fault of a query that forgot to ask for the account, undefined where all of it is the account's own. Accounts never see
 * one another's data, whatever a repository answers.
 */
export async function findForeignSite(
  store: Store,
  accountId: string,
  { name, projectIds }: { readonly name: string; readonly projectIds: readonly string[] },
): Promise<RepositoryError | undefined> {
  const sites = [...new Set(projectIds)];
  const asked = sites.filter(isHostId);
  const texts = await store.getMany(asked.map((id) => keys.project(accountId, id)));
  const own = new Set(asked.filter((_, index) => texts[index] !== undefined));
  const foreign = sites.find((id) => !own.has(id));
  if (foreign === undefined) return undefined;
  return new RepositoryError(
    "invalid_answer",
    `${name} answered for account ${accountId} what is of site ${foreign}, which is not one of its sites`,
  );
}
