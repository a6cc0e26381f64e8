import { isExpired } from "../commit/expiry.ts";
import type { Held } from "../commit/counter.ts";
import { createSweepTimer, sweepWindow } from "../commit/sweep-timer.ts";
import { encodeKey } from "../keys/key-codec.ts";
import { listEntries } from "../keys/list-entries.ts";
import type { Key, Store } from "../port.ts";
import { createExpiryBuckets } from "./expiry-buckets.ts";
import { createSortedRows, type SortedRows } from "./sorted-rows.ts";

/** A text without an expiry is stored directly. An object for each would double the memory of small values. */
export type Row = string | Held;

/** The rows of a store whose data is in memory. Expired rows are absent for reads, and removed in the background. */
export interface RowsInMemory {
  /** The rows of a partition by their encoded keys. */
  partition(name: string): SortedRows<Row>;
  /** Returns the text of a row, or `undefined` if it has expired. */
  visibleText(row: Row | undefined): string | undefined;
  put(partition: SortedRows<Row>, encoded: string, text: string, expiresAt: number | undefined): void;
  /** Sets the row of an encoded key, or removes it. */
  apply(encoded: string, held: Held | undefined): void;
  /** Visits all rows in key order, from an encoded key (inclusive), until `visit` returns false. */
  visit(from: string, visit: (encoded: string, row: Row) => boolean): void;
  /** The reading methods of the store. */
  readonly reads: Pick<Store, "get" | "getMany" | "list">;
  close(): void;
}

/** @param options.assertOpen throws if the store must not be read */
export function createRowsInMemory(options: {
  readonly now: () => number;
  readonly sweepIntervalMs: number;
  readonly assertOpen: () => void;
}): RowsInMemory {
  const { now, sweepIntervalMs, assertOpen } = options;
  const partitions = new Map<string, SortedRows<Row>>();
  const expiring = createExpiryBuckets();
  const sweeper = createSweepTimer({ sweep, intervalMs: sweepIntervalMs });

  function partitionNamed(name: string): SortedRows<Row> {
    let partition = partitions.get(name);
    if (partition === undefined) partitions.set(name, (partition = createSortedRows()));
    return partition;
  }

  function visibleText(row: Row | undefined): string | undefined {
    if (typeof row !== "object") return row;
    return row.expiresAt !== undefined && isExpired(row.expiresAt, now()) ? undefined : row.text;
  }

  /** Before each use. A store that nobody uses has no timer, because a test may forget to close it. */
  function beforeUse(): void {
    assertOpen();
    if (!expiring.isEmpty()) sweeper.start();
  }

  function read(key: Key): string | undefined {
    const encoded = encodeKey(key);
    return visibleText(partitions.get(key[0])?.get(encoded));
  }

  async function sweep(): Promise<"more" | "stop"> {
    const time = now();
    const due = expiring.take(time, sweepWindow);
    for (const encoded of due) {
      const partition = partitionNamed(encoded.slice(0, 3));
      const row = partition.get(encoded);
      if (typeof row === "object" && row.expiresAt !== undefined && isExpired(row.expiresAt, time))
        partition.delete(encoded);
    }
    return due.length === sweepWindow ? "more" : "stop";
  }

  function put(
    partition: SortedRows<Row>,
    encoded: string,
    text: string,
    expiresAt: number | undefined,
  ): void {
    if (expiresAt === undefined) return partition.set(encoded, text);
    partition.set(encoded, { text, expiresAt });
    expiring.add(encoded, expiresAt, now());
    sweeper.start();
  }

  return {
    partition: partitionNamed,
    visibleText,
    put,
    apply(encoded, held) {
      const partition = partitionNamed(encoded.slice(0, 3));
      if (held === undefined) partition.delete(encoded);
      else put(partition, encoded, held.text, held.expiresAt);
    },
    visit(from, visit) {
      let goesOn = true;
      for (const name of [...partitions.keys()].toSorted()) {
        if (!goesOn) return;
        partitionNamed(name).visit(
          { from, to: "\xff", reverse: false },
          (encoded, row) => (goesOn = visit(encoded, row)),
        );
      }
    },
    reads: {
      async get(key) {
        beforeUse();
        return read(key);
      },
      async getMany(keys) {
        beforeUse();
        return keys.map((key) => read(key));
      },
      async list(listOptions) {
        beforeUse();
        return listEntries(listOptions, (range, visit) => {
          partitions.get(listOptions.prefix[0])?.visit(range, (encoded, row) => {
            const value = visibleText(row);
            return value === undefined || visit(encoded, value);
          });
        });
      },
    },
    close() {
      sweeper.stop();
      partitions.clear();
    },
  };
}

export function toHeld(row: Row | undefined): Held | undefined {
  return typeof row === "string" ? { text: row, expiresAt: undefined } : row;
}
