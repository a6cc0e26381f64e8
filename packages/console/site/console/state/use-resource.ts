import { useCallback, useEffect, useState } from "preact/hooks";
import { toApiFailure } from "../api/api-failure.ts";
import type { ApiFailure } from "../api/api-failure.ts";

export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Asks again; what is shown stays until the answer comes. */
  readonly reload: () => void;
  /** Shows what is known already, as an action answered it. */
  readonly show: (data: Data) => void;
}

/** Loads something whenever `key` changes, and forgets an answer that nobody waits for any more. */
export function useResource<Data>(key: string, load: (signal: AbortSignal) => Promise<Data>): Resource<Data> {
  const [shown, setShown] = useState<{ readonly key: string; readonly data: Data }>();
  const [failure, setFailure] = useState<ApiFailure>();
  const [loading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setLoading(true);
    load(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return;
        setShown({ key, data });
        setFailure(undefined);
        setLoading(false);
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setFailure(toApiFailure(error));
        setLoading(false);
      },
    );
    return () => controller.abort();
    // `load` is a new function at every rendering; what it loads is named by `key`.
  }, [key, round]);
  const reload = useCallback(() => setRound((round) => round + 1), []);
  const show = useCallback((data: Data) => setShown({ key, data }), [key]);
  return { data: shown?.key === key ? shown.data : undefined, failure, loading, reload, show };
}
