import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/api-failure.ts";
import type { ApiFailure } from "../api/api-failure.ts";
import type { Listed, Query } from "../api/console-api.ts";
import { useConsole } from "./console-context.ts";
import { useResource } from "./use-resource.ts";

export interface Pages<Row> {
  /** Undefined until the first page has come. */
  readonly rows: readonly Row[] | undefined;
  /** Why the first page did not come; `reload` tries again. */
  readonly failure: ApiFailure | undefined;
  /** Why no more came; `loadMore` tries again. */
  readonly moreFailure: ApiFailure | undefined;
  readonly loading: boolean;
  readonly hasMore: boolean;
  /** Whether more than the first page is here. */
  readonly isLonger: boolean;
  readonly loadMore: () => Promise<void>;
  /** Begins again with the newest. */
  readonly reload: () => void;
}

/** What has come behind a first page, which it belongs to. */
interface Further<Row> {
  readonly first: Listed<Row>;
  readonly rows: readonly Row[];
  readonly meta: Listed<Row>["meta"];
  readonly failure?: ApiFailure;
  readonly loading: boolean;
}

/** A list of the API, newest first, of which more is loaded on demand. Whoever comes back to it finds it as it was left. */
export function usePages<Row>(path: string, query: Query = {}): Pages<Row> {
  const { api, visit, keptLists } = useConsole();
  const key = `${visit} ${path} ${JSON.stringify(query)}`;
  const kept = useMemo(() => keptLists.get<Row>(key), [key]);
  const asOf = useRef(keptLists.changes);
  const {
    data: first,
    failure,
    loading,
    reload,
  } = useResource(
    key,
    (signal) => {
      asOf.current = keptLists.changes;
      return api.list<Row>(path, { query, signal });
    },
    kept?.first,
  );
  const [known, setKnown] = useState<Further<Row>>();
  const inFlight = useRef<AbortController>(undefined);
  useEffect(() => () => inFlight.current?.abort(), [first]);

  const keptFurther =
    kept === undefined || kept.first !== first
      ? undefined
      : { first, rows: kept.further, meta: kept.meta, failure: undefined, loading: false };
  const further = known?.first === first ? known : keptFurther;
  const meta = further?.meta ?? first?.meta;
  useEffect(() => {
    if (first !== undefined && meta !== undefined)
      keptLists.set(key, { first, further: further?.rows ?? [], meta }, asOf.current);
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

  return {
    rows: first === undefined ? undefined : [...first.rows, ...(further?.rows ?? [])],
    failure,
    moreFailure: further?.failure,
    loading: loading || further?.loading === true,
    hasMore: meta?.has_more ?? false,
    isLonger: further !== undefined && further.rows.length > 0,
    loadMore,
    reload,
  };
}
