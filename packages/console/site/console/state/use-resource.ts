import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/api-failure.ts";
import type { ApiFailure } from "../api/api-failure.ts";

export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Asks again; what is shown stays until the answer comes. */
  readonly reload: () => void;
  /** Shows what an action has answered. A load that began before is older than that, and forgotten. */
  readonly show: (data: Data) => void;
}

/** What is known of one `key`; of another nothing is. */
interface Known<Data> {
  readonly key: string;
  readonly data?: Data;
  readonly failure?: ApiFailure;
  readonly loading: boolean;
}

/**
 * Loads something whenever `key` changes, and forgets an answer that nobody waits for any more.
 *
 * @param kept what is known under this key already: it is shown, and loaded by `reload` alone
 */
export function useResource<Data>(
  key: string,
  load: (signal: AbortSignal) => Promise<Data>,
  kept?: Data,
): Resource<Data> {
  const begin = (): Known<Data> =>
    kept === undefined ? { key, loading: true } : { key, data: kept, loading: false };
  const [known, setKnown] = useState(begin);
  const [round, setRound] = useState(0);
  /** What is to be loaded although it is known. */
  const wanted = useRef<string>(undefined);
  const inFlight = useRef<AbortController>(undefined);
  useEffect(() => {
    if (kept !== undefined && wanted.current !== key) return setKnown(begin());
    wanted.current = undefined;
    const controller = new AbortController();
    inFlight.current = controller;
    setKnown((before) => (before.key === key ? { ...before, loading: true } : { key, loading: true }));
    const settle = (settled: Partial<Known<Data>>): void => {
      if (controller.signal.aborted) return;
      setKnown((before) => ({
        key,
        loading: false,
        ...(before.data === undefined ? {} : { data: before.data }),
        ...settled,
      }));
    };
    load(controller.signal).then(
      (data) => settle({ data }),
      (error: unknown) => settle({ failure: toApiFailure(error) }),
    );
    return () => controller.abort();
    // `load` is a new function at every rendering; what it loads is named by `key`.
  }, [key, round]);
  const reload = useCallback(() => {
    wanted.current = key;
    setRound((round) => round + 1);
  }, [key]);
  const show = useCallback(
    (data: Data) => {
      inFlight.current?.abort();
      setKnown({ key, data, loading: false });
    },
    [key],
  );
  const { data, failure, loading }: Known<Data> = known.key === key ? known : begin();
  return { data, failure, loading, reload, show };
}
