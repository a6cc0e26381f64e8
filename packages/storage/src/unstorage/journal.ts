import { numberedName, type ItemName } from "./item-names.ts";
import type { Items } from "./items.ts";
import type { Ownership } from "./ownership.ts";
import { toLogText } from "./records.ts";

/** A log item that has been written and applied. */
export interface LogPosition {
  readonly name: string;
  readonly number: number;
}

/**
 * The redo log. Each item names its predecessor, so recovery can skip an item that failed but may exist
 * nevertheless.
 */
export interface Journal {
  /**
   * Writes one group of changes. Resolves when the commits may be acknowledged. The caller then applies the
   * changes and calls `applied`.
   *
   * @throws {StorageError} `unavailable`, `in_use`. The item may exist nevertheless
   */
  append(rowTexts: readonly string[]): Promise<LogPosition>;
  /**
   * Makes this item the predecessor of the next one. Must be called in the same synchronous code that makes
   * its changes visible.
   */
  applied(position: LogPosition): void;
  /** Returns all items that were or may have been written since the last call. */
  takeWritten(): ItemName[];
  /** The last log item that the rows in memory contain. */
  readonly position: LogPosition | undefined;
}

/**
 * @param options.position the last replayed log item
 * @param options.found the items that existed when the storage was opened
 */
export function createJournal(options: {
  readonly items: Items;
  readonly ownership: Ownership;
  readonly position: LogPosition | undefined;
  readonly found: readonly ItemName[];
}): Journal {
  const { items, ownership } = options;
  const { session } = ownership;
  let { position } = options;
  // Above every existing log item, and above those that the last checkpoint removed.
  let number = options.found.reduce(
    (most, item) => (item.kind === "log" ? Math.max(most, item.number) : most),
    position?.number ?? 0,
  );
  let written: ItemName[] = [];

  return {
    async append(rowTexts) {
      number += 1;
      const next = { name: numberedName("log", number, session), kind: "log", number, session } as const;
      written.push(next);
      await items.write(next.name, toLogText(position?.name ?? null, rowTexts));
      await ownership.confirm();
      return next;
    },
    applied(next) {
      position = next;
    },
    takeWritten() {
      const taken = written;
      written = [];
      return taken;
    },
    get position() {
      return position;
    },
  };
}
