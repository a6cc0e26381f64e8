import { isExpired } from "../commit/expiry.ts";
import type { Held } from "../commit/sum-plan.ts";
import { encodeKey } from "../keys/key-codec.ts";
import { listEntries } from "../keys/list-entries.ts";
import { createExpiryBuckets } from "../memory/expiry-buckets.ts";
import { createSortedRows } from "../memory/sorted-rows.ts";
import type { Entry, Key, ListOptions } from "../port.ts";

/** All rows of the store, in memory. */
export interface Rows {
  /** Returns the row under an encoded key, even if it has expired. */
  held(key: string): Held | undefined;
  put(key: string, held: Held | undefined): void;
  get(key: Key): string | undefined;
  list(options: ListOptions): Entry[];
  /** Visits the rows from one encoded key (inclusive) to another (exclusive) until `visit` returns false. */
  visit(from: string, to: string, visit: (key: string, held: Held) => boolean): void;
  /** Removes at most `limit` expired rows. Returns the number of entries checked and the removed keys. */
  sweep(limit: number): { readonly checked: number; readonly removed: readonly string[] };
}

export function createRows({ now }: { readonly now: () => number }): Rows {
  // A text without an expiry is stored directly. An object for each would double the memory of small values.
  const rows = createSortedRows<string | Held>();
  const expiring = createExpiryBuckets();

  function visibleText(row: string | Held | undefined): string | undefined {
    if (typeof row !== "object") return row;
    return row.expiresAt !== undefined && isExpired(row.expiresAt, now()) ? undefined : row.text;
  }

  return {
    held: (key) => toHeld(rows.get(key)),
    put(key, held) {
      if (held === undefined) rows.delete(key);
      else if (held.expiresAt === undefined) rows.set(key, held.text);
      else {
        rows.set(key, held);
        expiring.add(key, held.expiresAt, now());
      }
    },
    get: (key) => visibleText(rows.get(encodeKey(key))),
    list: (options) =>
      listEntries(options, (range, visit) => {
        rows.visit(range, (encoded, row) => {
          const value = visibleText(row);
          return value === undefined || visit(encoded, value);
        });
      }),
    visit(from, to, visit) {
      rows.visit({ from, to, reverse: false }, (key, row) =>
        visit(key, typeof row === "string" ? { text: row, expiresAt: undefined } : row),
      );
    },
    sweep(limit) {
      const time = now();
      const due = expiring.take(time, limit);
      const removed = due.filter((key) => {
        const row = rows.get(key);
        return typeof row === "object" && row.expiresAt !== undefined && isExpired(row.expiresAt, time);
      });
      for (const key of removed) rows.delete(key);
      return { checked: due.length, removed };
    },
  };
}

function toHeld(row: string | Held | undefined): Held | undefined {
  return typeof row === "string" ? { text: row, expiresAt: undefined } : row;
}
