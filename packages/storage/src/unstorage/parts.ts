import type { PartEntry } from "./records.ts";

/** A stretch of neighbouring parts that a checkpoint writes anew, by their places in the list. */
export interface Run {
  readonly first: number;
  readonly count: number;
  /** Encoded keys: from the first one (included) to the last one (not included). */
  readonly from: string;
  readonly to: string;
}

/** Which ranges of keys the last checkpoint wrote as which item, and which of them have changed since. */
export interface Parts {
  readonly entries: readonly PartEntry[];
  /** The row under an encoded key has changed. */
  mark(key: string): void;
  /** Begins a checkpoint: what is marked from now on counts as changed after it. */
  begin(): readonly Run[];
  /** The whole list where each run is made of these parts. */
  replace(written: ReadonlyMap<Run, readonly PartEntry[]>): readonly PartEntry[];
  /** Ends it: these are the parts now. */
  finish(next: readonly PartEntry[]): void;
  /** Ends it without a result. */
  abandon(runs: readonly Run[]): void;
}

/** Above every encoded key. */
const end = "\xff";

/** @param smallSize a part below it is written together with a neighbour that is written, so that parts do not dwindle */
export function createParts(initial: readonly PartEntry[], smallSize: number): Parts {
  let entries: readonly PartEntry[] = initial.length > 0 ? initial : [{ from: "", name: undefined, size: 0 }];
  let changed = new Set<number>();
  /** Keys that were marked while a checkpoint was under way, which may move their parts. */
  let marked: Set<string> | undefined;

  function placeOf(key: string): number {
    let low = 0;
    let high = entries.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (key < (entries[middle]?.from ?? "")) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  function isTaken(place: number): boolean {
    if (changed.has(place)) return true;
    const size = entries[place]?.size ?? 0;
    return size < smallSize && (changed.has(place - 1) || changed.has(place + 1));
  }

  function settle(): void {
    const late = marked ?? [];
    marked = undefined;
    for (const key of late) changed.add(placeOf(key));
  }

  return {
    get entries() {
      return entries;
    },
    mark(key) {
      if (marked === undefined) changed.add(placeOf(key));
      else marked.add(key);
    },
    begin() {
      const runs: Run[] = [];
      for (let place = 0; place < entries.length; place++) {
        if (!isTaken(place)) continue;
        const first = place;
        while (place + 1 < entries.length && isTaken(place + 1)) place++;
        runs.push({
          first,
          count: place + 1 - first,
          from: entries[first]?.from ?? "",
          to: entries[place + 1]?.from ?? end,
        });
      }
      changed = new Set();
      marked = new Set();
      return runs;
    },
    replace(written) {
      const replaced = new Map([...written].map(([run, parts]) => [run.first, { run, parts }]));
      const next: PartEntry[] = [];
      for (let place = 0; place < entries.length;) {
        const found = replaced.get(place);
        const kept = entries[place];
        if (found !== undefined) next.push(...found.parts);
        else if (kept !== undefined) next.push(kept);
        place += found?.run.count ?? 1;
      }
      // A part without rows is covered by the one before it; only the first must be there.
      return next.filter(({ name }, place) => place === 0 || name !== undefined);
    },
    finish(next) {
      entries = next;
      settle();
    },
    abandon(runs) {
      for (const { first, count } of runs) for (let at = 0; at < count; at++) changed.add(first + at);
      settle();
    },
  };
}
