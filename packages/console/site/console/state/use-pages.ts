import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/console-api.ts";
import type { ApiFailure, Listed, Query } from "../api/console-api.ts";
import { useConsole } from "./console-context.ts";
import type { LiveChange } from "./live.ts";
import { useLive, useLiveReload } from "./use-live.ts";
import { useResource } from "./use-resource.ts";

export interface Pages<Row> {
  /** Undefined until the first page is loaded. */
  readonly rows: readonly Row[] | undefined;
  /** Why the first page failed. `reload` tries again. */
  readonly failure: ApiFailure | undefined;
  /** Why the next page failed. `loadMore` tries again. */
  readonly moreFailure: ApiFailure | undefined;
  readonly loading: boolean;
  readonly hasMore: boolean;
  /** True if more than the first page is loaded. */
  readonly isLonger: boolean;
  /** New rows that a reload would show. */
  readonly newCount: number;
  /** True if changes were missed that only a reload shows. */
  readonly isOutdated: boolean;
  readonly loadMore: () => Promise<void>;
  /** Starts again with the newest rows. */
  readonly reload: () => void;
}

/** The rows after a first page, and that page. */
interface Further<Row> {
  readonly first: Listed<Row>;
  readonly rows: readonly Row[];
  readonly meta: Listed<Row>["meta"];
  readonly failure?: ApiFailure;
  readonly loading: boolean;
}

/**
 * Loads a list of the API page by page, newest first. The list is restored when the user goes back to it.
 *
 * @param changes which changes of the account belong to this list. @default none
 */
export function usePages<Row extends { readonly id: string }>(
  path: string,
  query: Query = {},
  changes?: LiveRows<Row>,
): Pages<Row> {
  const { api, visit, listCache } = useConsole();
  const key = `${visit} ${path} ${JSON.stringify(query)}`;
  const cached = useMemo(() => listCache.get<Row>(key), [key]);
  const asOf = useRef(listCache.changes);
  const startedAt = useRef(performance.now());
  const {
    data: first,
    failure,
    loading,
    reload,
  } = useResource(
    key,
    (signal) => {
      asOf.current = listCache.changes;
      startedAt.current = performance.now();
      return api.list<Row>(path, { query, signal });
    },
    cached?.first,
  );
  const [known, setKnown] = useState<Further<Row>>();
  const inFlight = useRef<AbortController>(undefined);
  useEffect(() => () => inFlight.current?.abort(), [first]);

  const cachedFurther =
    cached === undefined || cached.first !== first
      ? undefined
      : { first, rows: cached.further, meta: cached.meta, failure: undefined, loading: false };
  const { updateRow, newCount, isOutdated } = useLiveRows(
    first?.rows,
    { reload, loadedFrom: () => startedAt.current },
    changes,
  );
  const further = known?.first === first ? known : cachedFurther;
  const meta = further?.meta ?? first?.meta;
  useEffect(() => {
    if (first !== undefined && meta !== undefined)
      listCache.set(key, { first, further: further?.rows ?? [], meta }, asOf.current);
  }, [key, first, further?.rows]);

  async function loadMore(): Promise<void> {
    if (first === undefined || meta === undefined || meta.next_cursor === null || further?.loading === true)
      return;
    const controller = new AbortController();
    inFlight.current = controller;
    const before = { first, rows: further?.rows ?? [], meta };
    setKnown({ ...before, loading: true });
    try {
      const more = { ...query, cursor: meta.next_cursor };
      const next = await api.list<Row>(path, { query: more, signal: controller.signal });
      setKnown({ first, rows: [...before.rows, ...next.rows], meta: next.meta, loading: false });
    } catch (error) {
      if (!controller.signal.aborted) setKnown({ ...before, failure: toApiFailure(error), loading: false });
    }
  }

  // The same rows stay the same objects, so that a table does not render them again.
  const rows = useMemo(
    () => first && [...first.rows, ...(further?.rows ?? [])].map(updateRow),
    [first, further?.rows, updateRow],
  );
  return {
    rows,
    newCount,
    isOutdated,
    failure,
    moreFailure: further?.failure,
    loading: loading || further?.loading === true,
    hasMore: meta?.has_more ?? false,
    isLonger: further !== undefined && further.rows.length > 0,
    loadMore,
    reload,
  };
}

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
