import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { LiveChange } from "./live.ts";
import { useLive, useLiveReload } from "./use-live.ts";

/** Which changes belong to a list. */
export interface LiveRows<Row> {
  /** The row of a change. Undefined: the change does not concern the list. */
  readonly rowOf: (change: LiveChange) => Row | undefined;
  /** Whether a row that is not shown yet may belong to the list. */
  readonly mayBeNew: (row: Row) => boolean;
}

/** Nearer to the top than this, new rows appear by themselves. Further down they would move what the user reads. */
const topPixels = 160;

const nothing = { rowOf: () => undefined, mayBeNew: () => false };

/** A row, and when it arrived: `performance.now()`. */
interface Update<Row> {
  readonly row: Row;
  readonly at: number;
}

/**
 * Keeps the rows of a list up to date, and counts those that are new.
 *
 * @param loadedFrom when the load of `shown` began: `performance.now()`. What arrived since may be newer than it.
 */
export function useLiveRows<Row extends { readonly id: string }>(
  shown: readonly Row[] | undefined,
  { reload, loadedFrom }: { readonly reload: () => void; readonly loadedFrom: () => number },
  { rowOf, mayBeNew }: LiveRows<Row> = nothing,
): {
  readonly updateRow: (row: Row) => Row;
  readonly newCount: number;
  /** True if changes were missed that only a reload shows. */
  readonly isOutdated: boolean;
} {
  const [updates, setUpdates] = useState<ReadonlyMap<string, Update<Row>>>(new Map());
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const [isOutdated, setOutdated] = useState(false);
  const resetAt = useRef(-1);
  useEffect(() => {
    setUpdates((before) => new Map([...before].filter(([, { at }]) => at >= loadedFrom())));
    setFresh(new Set());
    setOutdated(false);
  }, [shown]);
  useLive((change) => {
    const at = performance.now();
    if (change.type === "reset") resetAt.current = at;
    const row = rowOf(change);
    if (row === undefined || shown === undefined) return;
    setUpdates((before) => new Map(before).set(row.id, { row, at }));
    if (isNew(row)) setFresh((before) => new Set(before).add(row.id));
  });
  useLiveReload(
    () => {
      if (scrollY < topPixels && document.querySelector("dialog:modal") === null) reload();
      else setOutdated(resetAt.current >= loadedFrom());
    },
    (change) => {
      const row = rowOf(change);
      return row !== undefined && isNew(row);
    },
  );
  const isNew = (row: Row): boolean => shown?.some(({ id }) => id === row.id) === false && mayBeNew(row);
  // A change lacks what the list asked for in addition, such as the health of a webhook.
  const updateRow = useCallback(
    (row: Row): Row => (updates.has(row.id) ? { ...row, ...updates.get(row.id)?.row } : row),
    [updates],
  );
  return { updateRow, newCount: fresh.size, isOutdated };
}
