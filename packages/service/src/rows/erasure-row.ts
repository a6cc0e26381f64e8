import { toTimestamp } from "@hookwright/domain";
import type { Erasure } from "@hookwright/domain";
import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";
import { toTimestampOrNull } from "./to-timestamp-or-null.ts";

/** A stored erasure of the data of a person. Times are milliseconds since the epoch. */
export interface ErasureRow {
  readonly id: string;
  readonly status: Erasure["status"];
  readonly contacts: number;
  readonly subscribers: number;
  readonly records: number;
  readonly deliveries: number;
  readonly created_at: number;
  readonly finished_at: number | null;
  /** What only the work needs. Absent when it is finished: a receipt has no data of the person. */
  readonly work?: ErasureWork;
}

export interface ErasureWork {
  readonly email: string;
  /** The contacts that were removed. */
  readonly contact_ids: readonly string[];
  /** What precedes the address in ids of records that were removed, such as `sub_`. Older versions do not write it. */
  readonly prefixes?: readonly string[];
  /** The place among the running erasures of the account. */
  readonly slot: string;
  /** What is erased now, see `erasureStages`. */
  readonly stage: string;
  /** The last row that was read. Absent at the beginning of each stage. */
  readonly position?: Key | undefined;
}

/** How long a receipt can be read. */
export const erasureLifetimeMs = 90 * 24 * 60 * 60 * 1_000;

export function parseErasureRow(text: string): ErasureRow {
  return JSON.parse(text);
}

export function toErasure({ work: _work, created_at, finished_at, ...row }: ErasureRow): Erasure {
  return { ...row, created_at: toTimestamp(created_at), finished_at: toTimestampOrNull(finished_at) };
}

/** Writes an erasure. A finished one expires. */
export function toErasureMutation(accountId: string, row: ErasureRow): Mutation {
  const key = keys.erasure(accountId, row.id);
  const value = JSON.stringify(row);
  return row.work === undefined
    ? { type: "set", key, value, expiresInMs: erasureLifetimeMs }
    : { type: "set", key, value };
}
