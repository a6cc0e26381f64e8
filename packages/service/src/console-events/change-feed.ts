import type { Clock } from "@hookwright/delivery";
import type { EventRegistry, OnError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { createChangeSignal } from "../streams/change-signal.ts";
import type { ChangeSignal } from "../streams/change-signal.ts";

/** The changes of one account for all its consoles in this process. */
export interface ChangeFeed extends ChangeSignal {
  /** The position of the newest change. */
  readonly last: number;
  add(changes: Changes): void;
  /**
   * The changes after a position, oldest first. A row is there once, as it is now. The first one is a `reset` if changes after the position
   * were removed.
   */
  read(after: number): readonly Change[];
}

export interface Change {
  readonly position: number;
  /** The event as it is sent, rendered once for all consoles. */
  readonly text: string;
}

/** A console that is further behind gets a `reset` instead of the oldest changes. */
export const maximumChanges = 300;
const changesAtOnce = 50;
/** Its key among the changes. No row has such an id. */
const reset = { event: "reset", id: "", text: "{}" } as const;

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
  /** The position of the newest change that was removed. */
  let removedTo = first;

  function append(row: ChangedRow | typeof reset): void {
    // Deleted first, because a map keeps the place of a key.
    changes.delete(row.id);
    changes.set(row.id, render(row, ++last));
  }

  return {
    ...signal,
    get last() {
      return last;
    },
    add({ rows, hasMissed }) {
      for (const row of rows) append(row);
      if (hasMissed) append(reset);
      for (const [id, { position }] of changes) {
        if (changes.size <= maximumChanges) break;
        changes.delete(id);
        removedTo = position;
      }
      if (rows.length > 0 || hasMissed) signal.touch();
    },
    read(after) {
      const found = [...changes.values()].filter(({ position }) => position > after).slice(0, changesAtOnce);
      return after < removedTo ? [render(reset, removedTo), ...found] : found;
    },
  };
}

/** JSON has no line breaks, so the data is one line. */
function render({ event, text }: ChangedRow | typeof reset, position: number): Change {
  return { position, text: `id: ${position}\nevent: ${event}\ndata: ${text}\n\n` };
}

/** A row of a list that is new or has changed. */
export interface ChangedRow {
  readonly event: "delivery" | "webhook";
  readonly id: string;
  /** The row as JSON. */
  readonly text: string;
}

export interface Changes {
  /** The rows that are new or differ since the last read, oldest first. */
  readonly rows: readonly ChangedRow[];
  /** True if others have changed too. A console must read its lists again. */
  readonly hasMissed: boolean;
}

export interface ChangeReaderOptions {
  readonly store: Store;
  readonly events: EventRegistry;
  readonly accountId: string;
  readonly now: () => number;
  readonly onError: OnError;
}

export interface ChangeReader {
  /** Reads the present rows. Changes are those after it. */
  start(): Promise<void>;
  read(): Promise<Changes>;
}
