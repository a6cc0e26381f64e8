/** A row of a list with its sort keys. */
export interface Row<Value> {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** A counter of new rows. */
  readonly arrival: number;
  readonly value: Value;
}

/** The order of every list (contract §4): newest first, ties by later arrival, then by id. */
export function compareRows(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  if (left.arrival !== right.arrival) return right.arrival - left.arrival;
  return left.id < right.id ? 1 : left.id > right.id ? -1 : 0;
}

export type Position = Pick<Row<unknown>, "createdAt" | "arrival" | "id">;
