import { isHostId, validationFailed } from "@hookwright/domain";
import type { Parsed } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

/** A parsed row of a repository. */
export interface KeptRow<Data> {
  readonly project_id: string;
  readonly data: Data;
}

/** Only valid rows are returned to the client. `problem` completes the sentence "contacts.get answered …". */
export type CheckedRow<Data> =
  | { readonly type: "valid"; readonly data: Data }
  /** A field is missing or invalid. */
  | { readonly type: "invalid"; readonly problem: string }
  /** The row belongs to another account, or was not requested. The client must not learn that it exists. */
  | { readonly type: "foreign"; readonly problem: string };

/**
 * Checks that the site of each row belongs to the account, so that no repository can reveal data of another account. It also checks
 * that each row was requested, because a database may compare texts less strictly than the API.
 */
export async function checkRows<Data>(
  store: Store,
  accountId: string,
  {
    rows,
    isRequested,
  }: {
    readonly rows: readonly Parsed<KeptRow<Data>>[];
    readonly isRequested: (row: KeptRow<Data>) => boolean;
  },
): Promise<CheckedRow<Data>[]> {
  const projectIds = rows.flatMap((row) => (row.ok ? [row.data.project_id] : []));
  const sites = [...new Set(projectIds)].filter(isHostId);
  const texts = await store.getMany(sites.map((id) => keys.project(accountId, id)));
  const own = new Set(sites.filter((_, index) => texts[index] !== undefined));
  return rows.map((row): CheckedRow<Data> => {
    if (!row.ok)
      return { type: "invalid", problem: `invalid data: ${validationFailed(row.problems).message}` };
    const { project_id, data } = row.data;
    if (!own.has(project_id))
      return {
        type: "foreign",
        problem: `a row of site ${project_id}, which does not belong to account ${accountId}`,
      };
    if (!isRequested(row.data)) return { type: "foreign", problem: "a row that was not requested" };
    return { type: "valid", data };
  });
}
