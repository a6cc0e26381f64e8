import type { ServiceContext } from "../context.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { ListScope } from "../store/page-cursor.ts";
import type { Page } from "../use-cases.ts";
import { askRepository } from "./ask-repository.ts";
import { RepositoryError } from "./repository.ts";
import type { Awaitable, Listed, ListPage, ListPosition } from "./repository.ts";

export interface RepositoryPageQuery<Kept, Shown> extends ListScope {
  readonly read: (page: ListPage) => Awaitable<readonly Listed<Kept>[]>;
  /** Checks rows as a whole, and gives them the form that goes out. */
  readonly toShown: (rows: readonly Kept[]) => Promise<readonly Shown[]>;
}

/** Bytes of JSON. A cursor, of 1,024 characters of base64url at the most, holds no more than that of a position. */
const longestPosition = 500;

/** One page of a list that the host keeps: its position goes into the cursor, and comes back as `after`. */
export async function readRepositoryPage<Kept, Shown>(
  context: Pick<ServiceContext, "cursors" | "onFault">,
  query: RepositoryPageQuery<Kept, Shown>,
): Promise<Page<Shown>> {
  const { limit } = query.page;
  const name = `${query.list}.list`;
  const cursor = openCursor(context.cursors, query);
  const after = cursor.position;
  const listed = await askRepository(context, name, () => query.read({ limit: limit + 1, after }));
  const refuse = (problem: string): RepositoryError =>
    new RepositoryError("invalid_answer", `${name} answered ${problem}`);
  if (!Array.isArray(listed)) throw refuse("no list");
  if (listed.length > limit + 1) throw refuse(`${listed.length} rows where ${limit + 1} were asked for`);
  const positions = after === undefined ? [] : [after];
  for (const row of listed) {
    const position: unknown = row?.position;
    if (!isPosition(position))
      throw refuse("a row whose position is not a short list of texts and finite numbers");
    positions.push(position);
  }
  // A page that ends between two rows of one place would hide the second, or show it again.
  if (new Set(positions.map((position) => JSON.stringify(position))).size < positions.length)
    throw refuse("a position twice, or one that does not lie behind `after`");
  const shown: readonly Listed<Kept>[] = listed.slice(0, limit);
  const last = shown.at(-1)?.position;
  const more = listed.length > limit && last !== undefined;
  return {
    rows: await query.toShown(shown.map(({ row }) => row)),
    meta: { has_more: more, next_cursor: more ? cursor.seal(last) : null },
  };
}

function isPosition(position: unknown): position is ListPosition {
  return (
    Array.isArray(position) &&
    position.length > 0 &&
    position.every((part) => typeof part === "string" || Number.isFinite(part)) &&
    Buffer.byteLength(JSON.stringify(position)) <= longestPosition
  );
}
