import { isHostId, validationFailed } from "@hookwright/domain";
import type { Parsed } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { noSuch } from "../lookups/no-such.ts";
import { keys } from "../rows/keys.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { ListScope } from "../store/page-cursor.ts";
import type { Page } from "../use-cases.ts";
import { callRepository } from "./call-repository.ts";
import { RepositoryError } from "./repository.ts";
import type { Awaitable, Listed, ListPage, ListPosition, RepositoryCall } from "./repository.ts";

type Context = Pick<ServiceContext, "cursors" | "onError">;

export interface KeptQuery<Kept, Data> {
  /** The name of the function, such as `contacts.get`. */
  readonly name: string;
  /** Checks rows and converts them to the form of the response. */
  readonly check: (rows: readonly Kept[]) => Promise<readonly CheckedRow<Data>[]>;
}

export interface KeptOneQuery<Kept, Data> extends KeptQuery<Kept, Data> {
  /** The kind of row in error messages, such as `contact`. */
  readonly noun: string;
  readonly id: string;
  /** Whether a text can be an id of such a row. */
  readonly isId: (text: string) => boolean;
  readonly read: (signal: AbortSignal) => Awaitable<Kept | undefined | null>;
}

export interface KeptPageQuery<Kept, Data> extends KeptQuery<Kept, Data>, ListScope {
  readonly read: (page: ListPage & RepositoryCall) => Awaitable<readonly Listed<Kept>[]>;
}

/**
 * Reads one row that the host keeps.
 *
 * @throws HookwrightError `resource_not_found`, also for a row of another account, which is logged as well
 */
export async function readKept<Kept, Data>(
  context: Context,
  { name, noun, id, isId, read, check }: KeptOneQuery<Kept, Data>,
): Promise<Data> {
  const kept = isId(id) ? await callRepository(context, name, read) : undefined;
  if (kept === undefined || kept === null) throw noSuch(noun);
  const [checked] = await check([kept]);
  if (checked?.type === "valid") return checked.data;
  const error = invalidAnswer(name, checked?.problem ?? "nothing");
  if (checked?.type === "invalid") throw error;
  context.onError(error, { function: name, code: "repository_row_refused" });
  throw noSuch(noun);
}

/**
 * Reads one page of a list that the host keeps. The cursor holds the position of the last row, which the next call gets as `after`.
 * An invalid row is logged and left out. The other rows of the page are returned.
 */
export async function readKeptPage<Kept, Data>(
  context: Context,
  query: KeptPageQuery<Kept, Data>,
): Promise<Page<Data>> {
  const { limit } = query.page;
  const { name } = query;
  // The name differs from the list in `store`, so that cursors of one are invalid for the other.
  const cursor = openCursor(context.cursors, { ...query, list: `${query.list} of the host` });
  const after = cursor.position;
  const listed = await callRepository(context, name, (signal) =>
    query.read({ limit: limit + 1, after, signal }),
  );
  checkListed(listed, { name, limit: limit + 1, after });
  const page = listed.slice(0, limit);
  const last = page.at(-1)?.position;
  const checked = await query.check(page.map(({ row }) => row));
  const rows = checked.flatMap((row, index) => {
    if (row.type === "valid") return [row.data];
    const error = invalidAnswer(name, `at ${JSON.stringify(page[index]?.position)} ${row.problem}`);
    context.onError(error, {
      account_id: query.accountId,
      function: name,
      code: "repository_row_refused",
    });
    return [];
  });
  return { rows, meta: cursor.toMeta(listed.length > limit ? last : undefined) };
}

/** Bytes of JSON. A cursor has at most 1,024 characters of base64url, so a position must be shorter. */
const maximumPositionBytes = 500;

/** @throws RepositoryError `invalid_answer` */
function checkListed(
  listed: unknown,
  { name, limit, after }: ListPage & { readonly name: string },
): asserts listed is readonly Listed<unknown>[] {
  if (!Array.isArray(listed)) throw invalidAnswer(name, "no list");
  if (listed.length > limit) throw invalidAnswer(name, `${listed.length} rows instead of at most ${limit}`);
  const positions = after === undefined ? [] : [after];
  for (const row of listed) {
    const position: unknown = row?.position;
    if (!isPosition(position))
      throw invalidAnswer(name, "a row whose position is not a short list of strings and finite numbers");
    positions.push(position);
  }
  // A page that ends between two rows with the same position would skip or repeat the second row.
  if (new Set(positions.map((position) => JSON.stringify(position))).size < positions.length)
    throw invalidAnswer(name, "the same position twice, or a position that is not after `after`");
}

function isPosition(position: unknown): position is ListPosition {
  return (
    Array.isArray(position) &&
    position.length > 0 &&
    position.every((part) => typeof part === "string" || Number.isFinite(part)) &&
    Buffer.byteLength(JSON.stringify(position)) <= maximumPositionBytes
  );
}

export function invalidAnswer(name: string, problem: string): RepositoryError {
  return new RepositoryError("invalid_answer", `${name} answered ${problem}`);
}

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
