import type { Position } from "./cursor-codec.ts";

export interface PageMeta {
  readonly has_more: boolean;
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface AssembledPage<Row> {
  readonly rows: readonly Row[];
  readonly meta: PageMeta;
}

export interface AssemblePageInput<Row> {
  /** Up to `limit + 1` rows from behind the last position: the one too many says that there are more. */
  readonly rows: readonly Row[];
  readonly limit: number;
  /** The sort key of a row, complete enough that no two rows share it. */
  readonly positionOf: (row: Row) => Position;
  readonly encode: (position: Position) => string;
}

/**
 * Cuts the rows to one page. The cursor holds the place of the last row shown, not a count of rows, so rows that
 * are added or removed meanwhile neither repeat nor hide another.
 *
 * @example
 * const page = assemblePage({ rows, limit: 25, positionOf: (row) => [row.createdAt, row.id], encode });
 */
export function assemblePage<Row>({
  rows,
  limit,
  positionOf,
  encode,
}: AssemblePageInput<Row>): AssembledPage<Row> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  if (last === undefined) return { rows, meta: { has_more: false, next_cursor: null } };
  return { rows: rows.slice(0, limit), meta: { has_more: true, next_cursor: encode(positionOf(last)) } };
}
