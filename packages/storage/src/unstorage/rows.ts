import { isExpired } from "../commit/expiry.ts";
import type { Held } from "../commit/sum-plan.ts";
import { decodeKey, encodeKey } from "../keys/key-codec.ts";
import { toKeyRange } from "../keys/key-range.ts";
import { createExpiryBuckets } from "../memory/expiry-buckets.ts";
import { createSortedRows } from "../memory/sorted-rows.ts";
import type { Entry, Key, ListOptions } from "../port.ts";

/** Everything the store holds, in memory. */
export interface Rows {
  /** By its encoded key, expired or not. */
  held(key: string): Held | undefined;
  put(key: string, held: Held | undefined): void;
  get(key: Key): string | undefined;
  list(options: ListOptions): Entry[];
  /** The rows from one encoded key (included) to another (not included), until `visit` answers false. */
  visit(from: string, to: string, visit: (key: string, held: Held) => boolean): void;
  /** Removes at most `limit` expired rows, and answers how many places it looked at and which keys went. */
  sweep(limit: number): { readonly looked: number; readonly removed: readonly string[] };
}

export function createRows({ now }: { readonly now: () => number }): Rows {
  // A text without expiry is kept bare: an object for each would double the memory of small values.
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
    list(options) {
      const { prefix, from, to } = toKeyRange(options);
      const entries: Entry[] = [];
      rows.visit({ from, to, reverse: options.reverse ?? false }, (encoded, row) => {
        const value = visibleText(row);
        if (value !== undefined) entries.push({ key: decodeKey(encoded, prefix), value });
        return entries.length < options.limit;
      });
      return entries;
    },
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
      return { looked: due.length, removed };
    },
  };
}

function toHeld(row: string | Held | undefined): Held | undefined {
  return typeof row === "string" ? { text: row, expiresAt: undefined } : row;
}
