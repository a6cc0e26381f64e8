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
 * The redo log. Each item names the one it was applied on top of, so that what lies in the storage tells by itself what
 * counts: an item that failed, and may be there all the same, is followed by one that names the item before it.
 */
export interface Journal {
  /**
   * Writes one group of changes. Resolves when they may be acknowledged; the caller then applies them and says so.
   *
   * @throws {StorageError} `unavailable`, `in_use`: the item may be there all the same
   */
  append(rowTexts: readonly string[]): Promise<LogPosition>;
  /** The next item is written on top of this one. In the same turn in which its changes become visible. */
  applied(position: LogPosition): void;
  /** Every item that was written, or may have been, since this was last asked. */
  takeWritten(): ItemName[];
  /** Up to where the rows in memory reach. */
  readonly position: LogPosition | undefined;
}

/**
 * @param options.position where the log has been replayed to
 * @param options.found every item that was there when the storage was opened
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
  // Above every item there is, whatever became of it, and above those which the last checkpoint has done away with.
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
