import type { ServiceContext } from "../context.ts";
import { noSuch } from "../lookups/no-such.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { ListScope } from "../store/page-cursor.ts";
import type { Page } from "../use-cases.ts";
import { askRepository } from "./ask-repository.ts";
import type { Judged } from "./judge-rows.ts";
import { RepositoryError } from "./repository.ts";
import type { Awaitable, Listed, ListPage, ListPosition, RepositoryCall } from "./repository.ts";

type Context = Pick<ServiceContext, "cursors" | "onError">;

export interface KeptQuery<Kept, Data> {
  /** Of the function, such as `contacts.get`. */
  readonly name: string;
  /** Checks rows, and gives them the form that goes out. */
  readonly judge: (rows: readonly Kept[]) => Promise<readonly Judged<Data>[]>;
}

export interface KeptOneQuery<Kept, Data> extends KeptQuery<Kept, Data> {
  /** What is asked for, such as `contact`. */
  readonly noun: string;
  readonly id: string;
  /** Whether a text can be an id of one. */
  readonly isId: (text: string) => boolean;
  readonly read: (signal: AbortSignal) => Awaitable<Kept | undefined | null>;
}

export interface KeptPageQuery<Kept, Data> extends KeptQuery<Kept, Data>, ListScope {
  readonly read: (page: ListPage & RepositoryCall) => Awaitable<readonly Listed<Kept>[]>;
}

/**
 * One row that the host keeps.
 *
 * @throws HookwrightError `resource_not_found`, also for what is not this account's, which is a fault as well
 */
export async function readKept<Kept, Data>(
  context: Context,
  { name, noun, id, isId, read, judge }: KeptOneQuery<Kept, Data>,
): Promise<Data> {
  const kept = isId(id) ? await askRepository(context, name, read) : undefined;
  if (kept === undefined || kept === null) throw noSuch(noun);
  const [judged] = await judge([kept]);
  if (judged?.type === "shown") return judged.data;
  const fault = invalidAnswer(name, judged?.problem ?? "nothing");
  if (judged?.type === "unreadable") throw fault;
  context.onError(fault, { function: name, code: "repository_row_refused" });
  throw noSuch(noun);
}

/**
 * One page of a list that the host keeps: the position of its last row goes into the cursor, and comes back as `after`. A row
 * that must not go out is left out, and told as a fault: it hides no other.
 */
export async function readKeptPage<Kept, Data>(
  context: Context,
  query: KeptPageQuery<Kept, Data>,
): Promise<Page<Data>> {
  const { limit } = query.page;
  const { name } = query;
  // A list of its own: a cursor from before the host kept it leads nowhere here.
  const cursor = openCursor(context.cursors, { ...query, list: `${query.list} of the host` });
  const after = cursor.position;
  const listed = await askRepository(context, name, (signal) =>
    query.read({ limit: limit + 1, after, signal }),
  );
  checkListed(listed, { name, limit: limit + 1, after });
  const shown = listed.slice(0, limit);
  const last = shown.at(-1)?.position;
  const more = listed.length > limit && last !== undefined;
  const judged = await query.judge(shown.map(({ row }) => row));
  const rows = judged.flatMap((row, index) => {
    if (row.type === "shown") return [row.data];
    const error = invalidAnswer(name, `at ${JSON.stringify(shown[index]?.position)} ${row.problem}`);
    context.onError(error, {
      account_id: query.accountId,
      function: name,
      code: "repository_row_refused",
    });
    return [];
  });
  return { rows, meta: { has_more: more, next_cursor: more ? cursor.seal(last) : null } };
}

/** Bytes of JSON. A cursor, of 1,024 characters of base64url at the most, holds no more than that of a position. */
const longestPosition = 500;

/** @throws RepositoryError `invalid_answer` */
function checkListed(
  listed: unknown,
  { name, limit, after }: ListPage & { readonly name: string },
): asserts listed is readonly Listed<unknown>[] {
  if (!Array.isArray(listed)) throw invalidAnswer(name, "no list");
  if (listed.length > limit) throw invalidAnswer(name, `${listed.length} rows where ${limit} were asked for`);
  const positions = after === undefined ? [] : [after];
  for (const row of listed) {
    const position: unknown = row?.position;
    if (!isPosition(position))
      throw invalidAnswer(name, "a row whose position is not a short list of texts and finite numbers");
    positions.push(position);
  }
  // A page that ends between two rows of one place would hide the second, or show it again.
  if (new Set(positions.map((position) => JSON.stringify(position))).size < positions.length)
    throw invalidAnswer(name, "a position twice, or one that does not lie behind `after`");
}

function isPosition(position: unknown): position is ListPosition {
  return (
    Array.isArray(position) &&
    position.length > 0 &&
    position.every((part) => typeof part === "string" || Number.isFinite(part)) &&
    Buffer.byteLength(JSON.stringify(position)) <= longestPosition
  );
}

export function invalidAnswer(name: string, what: string): RepositoryError {
  return new RepositoryError("invalid_answer", `${name} answered ${what}`);
}
