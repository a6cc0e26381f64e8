import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/console-api.ts";
import type { ApiFailure, Query } from "../api/console-api.ts";
import { useConsole } from "./console-context.ts";
import type { CachedList } from "./list-cache.ts";
import type { LiveChange } from "./live.ts";
import { useResource } from "./use-api.ts";
import { useLive, useLiveReload, useRefresh } from "./use-live.ts";

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

/** The loaded pages, and what became of the load of the next one. */
interface LoadedPages<Row> extends CachedList<Row> {
  readonly failure?: ApiFailure;
  readonly loading?: boolean;
}

const noRows: readonly never[] = [];

/**
 * Loads a list of the API page by page, newest first. The list is restored when the user goes back to it.
 *
 * @param changes which changes of the account belong to this list. @default none
 * @param name what identifies the query, if a part of it changes with the time: that part is new at the next reload
 */
export function usePages<Row extends { readonly id: string }>(
  path: string,
  query: Query = {},
  changes?: LiveRows<Row>,
  name: string = JSON.stringify(query),
): Pages<Row> {
  const { api, visit, listCache } = useConsole();
  const key = `${visit} ${path} ${name}`;
  const cached = useMemo(() => listCache.get<Row>(key), [key]);
  const asOf = useRef(listCache.changes);
  const startedAt = useRef(performance.now());
  const {
    data: first,
    failure,
    loading,
    reload,
    refresh,
  } = useResource(
    key,
    async (signal) => {
      asOf.current = listCache.changes;
      startedAt.current = performance.now();
      return { ...(await api.list<Row>(path, { query, signal })), query };
    },
    cached?.first,
  );
  const [known, setKnown] = useState<LoadedPages<Row>>();
  const inFlight = useRef<AbortController>(undefined);
  useEffect(() => () => inFlight.current?.abort(), [first]);
  const unknown = cached?.first === first ? cached : first && { first, further: noRows, meta: first.meta };
  const pages: LoadedPages<Row> | undefined = known?.first === first ? known : unknown;
  const { updateRow, newCount, isOutdated } = useLiveRows(
    first?.rows,
    { refresh, loadedFrom: () => startedAt.current },
    changes,
  );
  useEffect(() => {
    if (pages === undefined) return;
    const { first, further, meta } = pages;
    listCache.set(key, { first, further, meta }, asOf.current);
  }, [key, first, pages?.further]);

  async function loadMore(): Promise<void> {
    if (pages === undefined || pages.loading === true) return;
    const { first, further, meta } = pages;
    const { next_cursor: cursor } = meta;
    if (cursor === null) return;
    const { signal } = (inFlight.current = new AbortController());
    setKnown({ first, further, meta, loading: true });
    try {
      const next = await api.list<Row>(path, { query: { ...first.query, cursor }, signal });
      setKnown({ first, further: [...further, ...next.rows], meta: next.meta });
    } catch (error) {
      if (!signal.aborted) setKnown({ first, further, meta, failure: toApiFailure(error) });
    }
  }

  // The same rows stay the same objects, so that a table does not render them again.
  const rows = useMemo(
    () => pages && [...pages.first.rows, ...pages.further].map(updateRow),
    [first, pages?.further, updateRow],
  );
  return {
    rows,
    newCount,
    isOutdated,
    failure,
    moreFailure: pages?.failure,
    loading: loading || pages?.loading === true,
    hasMore: pages?.meta.has_more ?? false,
    isLonger: pages !== undefined && pages.further.length > 0,
    loadMore,
    reload,
  };
}

/** How often a list that the stream does not tell of is read again. */
const readEveryMs = 5_000;

/** Keeps the first page of a list up to date, unless the user reads further down or decides something. */
export function useNewest({
  isLonger,
  loading,
  reload,
}: Pick<Pages<unknown>, "isLonger" | "loading" | "reload">): void {
  useRefresh(() => {
    if (!isLonger && !loading && isAtTop()) reload();
  }, readEveryMs);
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

const isAtTop = (): boolean => scrollY < topPixels && document.querySelector("dialog:modal") === null;

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
  { refresh, loadedFrom }: { readonly refresh: () => void; readonly loadedFrom: () => number },
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
      if (isAtTop()) refresh();
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
