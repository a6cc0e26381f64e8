import type { Cursors, CursorScope } from "./cursors.ts";
import { compareRows } from "./row.ts";
import type { Position, Row } from "./row.ts";

export interface PageMeta {
  readonly has_more: boolean;
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface PageQuery<Value> extends CursorScope {
  /** The filtered rows in any order. */
  readonly rows: readonly Row<Value>[];
  readonly limit: number;
  readonly cursor: string | undefined;
}

/**
 * Returns one page. The cursor is the position of the last row, so concurrent changes neither repeat nor hide
 * rows.
 *
 * @throws HookwrightError `invalid_cursor`
 */
export function pageOf<Value>(
  cursors: Cursors,
  { rows, limit, cursor, ...scope }: PageQuery<Value>,
): { readonly data: readonly Value[]; readonly meta: PageMeta } {
  const last = cursor === undefined ? undefined : parsePosition(cursors.open(scope, cursor));
  const rest = rows
    .filter((row) => last === undefined || compareRows(last, row) < 0)
    .sort((left, right) => compareRows(left, right));
  const shown = rest.slice(0, limit);
  const data = shown.map(({ value }) => value);
  const end = shown.at(-1);
  if (rest.length <= limit || end === undefined)
    return { data, meta: { has_more: false, next_cursor: null } };
  return { data, meta: { has_more: true, next_cursor: cursors.seal(scope, renderPosition(end)) } };
}

function renderPosition({ createdAt, arrival, id }: Position): string {
  return `${createdAt} ${arrival} ${id}`;
}

function parsePosition(text: string): Position {
  const [createdAt = "", arrival = "", id = ""] = text.split(" ");
  return { createdAt: Number(createdAt), arrival: Number(arrival), id };
}
