import type { Cursors, CursorScope } from "./cursors.ts";
import { compareRows } from "./row.ts";
import type { Position, Row } from "./row.ts";

export interface PageMeta {
  readonly has_more: boolean;
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface PageQuery<Value, Listed extends Row<Value>> extends CursorScope {
  /** In any order, filtered. */
  readonly rows: readonly Listed[];
  readonly limit: number;
  readonly cursor: string | undefined;
}

/**
 * One page, cut by the place of the last row shown, so that rows which come or go meanwhile neither repeat nor hide another.
 *
 * @throws HookwrightError `invalid_cursor`
 */
export function pageOf<Value, Listed extends Row<Value>>(
  cursors: Cursors,
  { rows, limit, cursor, ...scope }: PageQuery<Value, Listed>,
): { readonly rows: readonly Listed[]; readonly meta: PageMeta } {
  const last = cursor === undefined ? undefined : parsePosition(cursors.open(scope, cursor));
  const rest = rows
    .filter((row) => last === undefined || compareRows(last, row) < 0)
    .sort((left, right) => compareRows(left, right));
  const shown = rest.slice(0, limit);
  const end = shown.at(-1);
  if (rest.length <= limit || end === undefined)
    return { rows: shown, meta: { has_more: false, next_cursor: null } };
  return { rows: shown, meta: { has_more: true, next_cursor: cursors.seal(scope, renderPosition(end)) } };
}

function renderPosition({ createdAt, arrival, id }: Position): string {
  return `${createdAt} ${arrival} ${id}`;
}

function parsePosition(text: string): Position {
  const [createdAt = "", arrival = "", id = ""] = text.split(" ");
  return { createdAt: Number(createdAt), arrival: Number(arrival), id };
}
