import type { PartEntry } from "./records.ts";

/** A run of adjacent parts that a checkpoint rewrites. */
export interface Run {
  readonly first: number;
  readonly count: number;
  /** The range of encoded keys: `from` is inclusive, `to` is exclusive. */
  readonly from: string;
  readonly to: string;
}

/** The parts of the last checkpoint, by key range, and which of them have changed since. */
export interface Parts {
  readonly entries: readonly PartEntry[];
  /** Records that the row under an encoded key has changed. */
  mark(key: string): void;
  /** Begins a checkpoint. Later marks count for the next one. */
  begin(): readonly Run[];
  /** Returns the list of parts in which each run is replaced by these parts. */
  replace(written: ReadonlyMap<Run, readonly PartEntry[]>): readonly PartEntry[];
  /** Ends the checkpoint. These are the current parts. */
  finish(next: readonly PartEntry[]): void;
  /** Ends the checkpoint after a failure. */
  abandon(runs: readonly Run[]): void;
}

/** Greater than every encoded key. */
const end = "\xff";

/**
 * @param smallSize a smaller part is rewritten together with a changed neighbour, so that parts do not become
 *   ever smaller
 */
export function createParts(initial: readonly PartEntry[], smallSize: number): Parts {
  let entries: readonly PartEntry[] = initial.length > 0 ? initial : [{ from: "", name: undefined, size: 0 }];
  let changed = new Set<number>();
  /** Keys that were marked during a checkpoint, which may move them to other parts. */
  let marked: Set<string> | undefined;

  function indexOf(key: string): number {
    let low = 0;
    let high = entries.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (key < (entries[middle]?.from ?? "")) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  function isRewritten(index: number): boolean {
    if (changed.has(index)) return true;
    const size = entries[index]?.size ?? 0;
    return size < smallSize && (changed.has(index - 1) || changed.has(index + 1));
  }

  function settle(): void {
    const late = marked ?? [];
    marked = undefined;
    for (const key of late) changed.add(indexOf(key));
  }

  return {
    get entries() {
      return entries;
    },
    mark(key) {
      if (marked === undefined) changed.add(indexOf(key));
      else marked.add(key);
    },
    begin() {
      const runs: Run[] = [];
      for (let index = 0; index < entries.length; index++) {
        if (!isRewritten(index)) continue;
        const first = index;
        while (index + 1 < entries.length && isRewritten(index + 1)) index++;
        runs.push({
          first,
          count: index + 1 - first,
          from: entries[first]?.from ?? "",
          to: entries[index + 1]?.from ?? end,
        });
      }
      changed = new Set();
      marked = new Set();
      return runs;
    },
    replace(written) {
      const replaced = new Map([...written].map(([run, parts]) => [run.first, { run, parts }]));
      const next: PartEntry[] = [];
      for (let index = 0; index < entries.length;) {
        const found = replaced.get(index);
        const kept = entries[index];
        if (found !== undefined) next.push(...found.parts);
        else if (kept !== undefined) next.push(kept);
        index += found?.run.count ?? 1;
      }
      // The range of a part without rows belongs to the previous part. Only the first part must exist.
      return next.filter(({ name }, index) => index === 0 || name !== undefined);
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
