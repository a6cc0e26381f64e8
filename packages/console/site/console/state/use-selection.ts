import { useEffect, useState } from "preact/hooks";
import type { Selection } from "../parts/data-table.tsx";

export interface SelectedRows<Row> {
  readonly selection: Selection;
  /** The selected rows that are shown. */
  readonly selected: readonly Row[];
  readonly clear: () => void;
}

/**
 * Which rows of a list are selected.
 *
 * @param key names the list. Another list has nothing selected
 */
export function useSelection<Row extends { readonly id: string }>(
  rows: readonly Row[],
  key: string,
): SelectedRows<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const clear = (): void => setIds(new Set());
  useEffect(clear, [key]);
  return {
    selection: {
      ids,
      toggle: (id) => setIds((before) => toggled(before, id)),
      toggleAll: () =>
        setIds((before) =>
          rows.every(({ id }) => before.has(id)) ? new Set() : new Set(rows.map(({ id }) => id)),
        ),
    },
    selected: rows.filter(({ id }) => ids.has(id)),
    clear,
  };
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const changed = new Set(ids);
  if (!changed.delete(id)) changed.add(id);
  return changed;
}
