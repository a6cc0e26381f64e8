import type { KeyPart } from "@hookwright/storage";

/** Rows that one page reads. A page that stops there may be short, and its cursor continues behind them. */
const maximumScanned = 2_500;

export interface Scan<Row> {
  /** Rows that are returned. */
  readonly limit: number;
  /** Rows that are read. @default 2,500 */
  readonly maximum?: number;
  readonly positionOf: (row: Row) => readonly KeyPart[];
  readonly matches: (row: Row) => boolean;
}

/** The next rows that match. `next` is the position after which further ones may follow. */
export async function scan<Row>(
  rows: AsyncIterable<Row>,
  { limit, maximum = maximumScanned, positionOf, matches }: Scan<Row>,
): Promise<{ readonly found: readonly Row[]; readonly next: readonly KeyPart[] | undefined }> {
  const found: Row[] = [];
  let scanned = 0;
  let last: readonly KeyPart[] | undefined;
  for await (const row of rows) {
    if (found.length === limit || scanned === maximum) return { found, next: last };
    scanned += 1;
    last = positionOf(row);
    if (matches(row)) found.push(row);
  }
  return { found, next: undefined };
}
