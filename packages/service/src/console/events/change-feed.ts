import type { Clock } from "@hookwright/delivery";
import { createChangeSignal } from "../../streams/change-signal.ts";
import type { ChangeSignal } from "../../streams/change-signal.ts";
import type { ChangedRow } from "./read-changes.ts";

/** The changes of one account for all its consoles in this process. */
export interface ChangeFeed extends Pick<ChangeSignal, "version" | "changed" | "touch"> {
  /** The position of the newest change. */
  readonly last: number;
  add(rows: readonly ChangedRow[]): void;
  /** The changes after a position, oldest first. A row is there once, as it is now. */
  read(after: number): readonly Change[];
}

export interface Change {
  readonly position: number;
  /** The event as it is sent, rendered once for all consoles. */
  readonly text: string;
}

/** A console that is further behind misses the oldest changes. */
export const maximumChanges = 300;
const changesAtOnce = 50;

/** @param options.first the position before the first change. Positions of a later feed are greater if it is the time */
export function createChangeFeed({
  clock,
  first,
}: {
  readonly clock: Clock;
  readonly first: number;
}): ChangeFeed {
  const signal = createChangeSignal({ clock });
  /** In order of their positions. */
  const changes = new Map<string, Change>();
  let last = first;
  return {
    get version() {
      return signal.version;
    },
    get last() {
      return last;
    },
    touch: signal.touch,
    changed: signal.changed,
    add(rows) {
      for (const row of rows) {
        // Deleted first, because a map keeps the place of a key.
        changes.delete(row.id);
        changes.set(row.id, render(row, ++last));
      }
      for (const id of changes.keys()) {
        if (changes.size <= maximumChanges) break;
        changes.delete(id);
      }
      if (rows.length > 0) signal.touch();
    },
    read: (after) => [...changes.values()].filter(({ position }) => position > after).slice(0, changesAtOnce),
  };
}

/** JSON has no line breaks, so the data is one line. */
function render({ event, text }: ChangedRow, position: number): Change {
  return { position, text: `id: ${position}\nevent: ${event}\ndata: ${text}\n\n` };
}
