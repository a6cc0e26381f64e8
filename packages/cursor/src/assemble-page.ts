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
  /** Up to `limit + 1` rows after the last position. An additional row means that there are more. */
  readonly rows: readonly Row[];
  readonly limit: number;
  /** Returns the unique sort key of a row. */
  readonly positionOf: (row: Row) => Position;
  readonly encode: (position: Position) => string;
}

/**
 * Creates a page. The cursor contains the position of the last row, not a count (keyset pagination), so
 * concurrent changes neither repeat nor hide rows.
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
