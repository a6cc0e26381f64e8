import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/console-api.ts";
import type { ApiFailure } from "../api/console-api.ts";

export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Loads again. The current data stays visible meanwhile. */
  readonly reload: () => void;
  /** Shows the result of an action. Loads that began before it are outdated and ignored. */
  readonly show: (data: Data) => void;
}

/** The data of one `key`. Another key has no data. */
interface Known<Data> {
  readonly key: string;
  readonly data?: Data;
  readonly failure?: ApiFailure;
  readonly loading: boolean;
}

/**
 * Loads data whenever `key` changes, and ignores outdated responses.
 *
 * @param cached data that is already known for this key: it is shown, and only `reload` loads it again
 */
export function useResource<Data>(
  key: string,
  load: (signal: AbortSignal) => Promise<Data>,
  cached?: Data,
): Resource<Data> {
  const begin = (): Known<Data> =>
    cached === undefined ? { key, loading: true } : { key, data: cached, loading: false };
  const [known, setKnown] = useState(begin);
  const [round, setRound] = useState(0);
  /** The key to load although its data is known. */
  const wanted = useRef<string>(undefined);
  const inFlight = useRef<AbortController>(undefined);
  useEffect(() => {
    if (cached !== undefined && wanted.current !== key) return setKnown(begin());
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
