import type { KeyPart } from "@hookwright/storage";

/** The position of a row in a list: newest first, then by arrival, then by id (contract: Lists). */
export interface Position {
  readonly createdAt: number;
  readonly arrival: number;
  readonly id: string;
}

export function toPositionParts({ createdAt, arrival, id }: Position): KeyPart[] {
  return [createdAt, arrival, id];
}

/** Reads the position from the last three parts of an index key or a cursor. Undefined if they are not a position. */
export function readPosition(parts: readonly KeyPart[]): Position | undefined {
  const [createdAt, arrival, id] = parts.slice(-3);
  if (typeof createdAt !== "number" || typeof arrival !== "number" || typeof id !== "string")
    return undefined;
  return { createdAt, arrival, id };
}

/** Compares in descending order, the order of every list. */
export function comparePositions(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  if (left.arrival !== right.arrival) return right.arrival - left.arrival;
  return left.id < right.id ? 1 : left.id > right.id ? -1 : 0;
}

/** Creates a source of growing numbers. They are microseconds, so that they follow the clock across processes. */
export function createArrivals(now: () => number): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(now() * 1_000));
    return last;
  };
}
