import { isHostId, validationFailed } from "@hookwright/domain";
import type { Parsed } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

/** A row of a repository, read. */
export interface KeptRow<Data> {
  readonly project_id: string;
  readonly data: Data;
}

/** What becomes of a row: it is shown, or somebody has to be told what the repository answered instead. */
export type Judged<Data> =
  | { readonly type: "shown"; readonly data: Data }
  /** It lacks what it must have, or has it wrong. */
  | { readonly type: "unreadable"; readonly problem: string }
  /** It is another account's, or something else than was asked for. Whoever asked must not learn that it is there. */
  | { readonly type: "foreign"; readonly problem: string };

/**
 * Accounts never see one another's data, whatever a repository answers: each site that a row names is looked up among the
 * account's. Nor do they see what they did not ask for, where a database compares texts more generously than the API does.
 */
export async function judgeRows<Data>(
  store: Store,
  accountId: string,
  {
    rows,
    isAskedFor,
  }: {
    readonly rows: readonly Parsed<KeptRow<Data>>[];
    readonly isAskedFor: (row: KeptRow<Data>) => boolean;
  },
): Promise<Judged<Data>[]> {
  const named = rows.flatMap((row) => (row.ok ? [row.data.project_id] : []));
  const sites = [...new Set(named)].filter(isHostId);
  const texts = await store.getMany(sites.map((id) => keys.project(accountId, id)));
  const own = new Set(sites.filter((_, index) => texts[index] !== undefined));
  return rows.map((row): Judged<Data> => {
    if (!row.ok)
      return {
        type: "unreadable",
        problem: `what must not go out: ${validationFailed(row.problems).message}`,
      };
    const { project_id, data } = row.data;
    if (!own.has(project_id))
      return {
        type: "foreign",
        problem: `what is of site ${project_id}, which is not one of account ${accountId}'s`,
      };
    if (!isAskedFor(row.data)) return { type: "foreign", problem: "what was not asked for" };
    return { type: "shown", data };
  });
}
