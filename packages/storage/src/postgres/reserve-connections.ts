import type { Pool } from "pg";
import { StorageError } from "../storage-error.ts";

/** What keeps a connection of a pool for itself. Uses with the same name share one. */
export type LongUse = `notifications ${string}` | `relay of ${string}`;

/** Of the pools of callers. Several stores and outboxes may use one. */
const usesOf = new WeakMap<Pool, LongUse[]>();
const numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/**
 * Notes that these uses keep connections of a pool. The others need at least one more. Without it, each statement would wait
 * until its time limit.
 *
 * @returns ends the uses
 * @throws {StorageError} `invalid_argument` if the pool is too small
 */
export function reserveConnections(pool: Pool, added: readonly LongUse[]): () => void {
  const uses = usesOf.get(pool) ?? [];
  const least = new Set([...uses, ...added]).size + 1;
  if (pool.options.max < least) {
    const others = uses.length === 0 ? "" : ", because other stores or outboxes use it too";
    throw new StorageError(
      "invalid_argument",
      `pool must allow at least ${numbers[least - 1] ?? least} connections (max)${others}: one waits for the notifications of a store, one relays each outbox, and one runs statements.`,
    );
  }
  usesOf.set(pool, uses);
  uses.push(...added);
  return () => {
    for (const use of added) uses.splice(uses.indexOf(use), 1);
  };
}
