import { useState } from "preact/hooks";
import { toApiFailure } from "../api/api-failure.ts";
import type { ApiFailure } from "../api/api-failure.ts";
import type { Listed, Query } from "../api/console-api.ts";
import { useConsole } from "./console-context.ts";
import { useResource } from "./use-resource.ts";

export interface Pages<Row> {
  /** Undefined until the first page has come. */
  readonly rows: readonly Row[] | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => Promise<void>;
  /** Begins again with the newest. */
  readonly reload: () => void;
}

interface Further<Row> extends Listed<Row> {
  /** The first page that these follow. */
  readonly first: Listed<Row>;
}

/** A list of the API, newest first, of which more is loaded on demand. */
export function usePages<Row>(path: string, query: Query = {}): Pages<Row> {
  const { api } = useConsole();
  const first = useResource(`${path} ${JSON.stringify(query)}`, (signal) =>
    api.list<Row>(path, { query, signal }),
  );
  const [further, setFurther] = useState<Further<Row>>();
  const [moreFailure, setMoreFailure] = useState<ApiFailure>();
  const [loadingMore, setLoadingMore] = useState(false);

  const page = first.data;
  const follows = further !== undefined && further.first === page ? further : undefined;
  const meta = follows?.meta ?? page?.meta;

  async function loadMore(): Promise<void> {
    if (page === undefined || meta?.next_cursor == null || loadingMore) return;
    setLoadingMore(true);
    setMoreFailure(undefined);
    try {
      const next = await api.list<Row>(path, { query: { ...query, cursor: meta.next_cursor } });
      setFurther({ first: page, rows: [...(follows?.rows ?? []), ...next.rows], meta: next.meta });
    } catch (error) {
      setMoreFailure(toApiFailure(error));
    } finally {
      setLoadingMore(false);
    }
  }

  return {
    rows: page === undefined ? undefined : [...page.rows, ...(follows?.rows ?? [])],
    failure: first.failure ?? moreFailure,
    loading: first.loading || loadingMore,
    hasMore: meta?.has_more ?? false,
    loadMore,
    reload: first.reload,
  };
}
