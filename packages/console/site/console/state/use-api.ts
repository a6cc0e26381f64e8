import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/console-api.ts";
import type { ApiFailure, Query } from "../api/console-api.ts";
import { useConsole } from "./console-context.ts";

export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Loads again, after a change by the user. A load that began before is aborted. The current data stays visible meanwhile. */
  readonly reload: () => void;
  /** Loads again, after the load in progress: a slow one would never end if each refresh aborted it. */
  readonly refresh: () => void;
  /** Shows the result of an action. Loads that began before it are outdated and ignored. */
  readonly show: (data: Data) => void;
}

/** The data of one `key`. Another key has no data. */
interface Known<Data> {
  readonly key: string;
  readonly data?: Data | undefined;
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
  load: (signal: AbortSignal) => Promise<Data | undefined>,
  cached?: Data,
): Resource<Data> {
  const begin = (): Known<Data> =>
    cached === undefined ? { key, loading: true } : { key, data: cached, loading: false };
  const [known, setKnown] = useState(begin);
  const [round, setRound] = useState(0);
  /** The key to load although its data is known. */
  const wanted = useRef<string>(undefined);
  const inFlight = useRef<AbortController>(undefined);
  /** Whether to load again after the load in progress. */
  const isAwaited = useRef(false);
  useEffect(() => {
    if (cached !== undefined && wanted.current !== key) return setKnown(begin());
    wanted.current = undefined;
    isAwaited.current = false;
    const controller = new AbortController();
    inFlight.current = controller;
    setKnown((before) => (before.key === key ? { ...before, loading: true } : { key, loading: true }));
    const settle = (settled: Partial<Known<Data>>): void => {
      if (controller.signal.aborted) return;
      inFlight.current = undefined;
      if (isAwaited.current) reload();
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
    return () => {
      controller.abort();
      inFlight.current = undefined;
    };
    // `load` is a new function at every rendering; what it loads is named by `key`.
  }, [key, round]);
  const reload = useCallback(() => {
    wanted.current = key;
    setRound((round) => round + 1);
  }, [key]);
  const refresh = useCallback(() => {
    if (inFlight.current === undefined) reload();
    else isAwaited.current = true;
  }, [reload]);
  const show = useCallback(
    (data: Data) => {
      inFlight.current?.abort();
      inFlight.current = undefined;
      setKnown({ key, data, loading: false });
    },
    [key],
  );
  const { data, failure, loading }: Known<Data> = known.key === key ? known : begin();
  return { data, failure, loading, reload, refresh, show };
}

/**
 * Loads something of the API. Without a path there is nothing to load.
 *
 * @param key what identifies the query, if a part of it changes with the time: that part is new at the next load
 */
export function useGet<Data>(
  path: string | undefined,
  query: Query = {},
  key: string = JSON.stringify(query),
): Resource<Data> {
  const { api } = useConsole();
  return useResource<Data>(`${path} ${key}`, async (signal) =>
    path === undefined ? undefined : api.get<Data>(path, { query, signal }),
  );
}

/** Loads the first page of a list of the API, as {@link useGet}. */
export function useRows<Row>(
  path: string | undefined,
  query: Query = {},
  key: string = JSON.stringify(query),
): Resource<readonly Row[]> {
  const { api } = useConsole();
  return useResource<readonly Row[]>(`${path} ${key}`, async (signal) =>
    path === undefined ? undefined : (await api.list<Row>(path, { query, signal })).rows,
  );
}

/** The value as it was before its last changes, until it has been the same for a while. */
export function useDelayed(value: string, ms: number): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return delayed;
}

export interface Action {
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  /**
   * Runs one action at a time and shows its error. Returns true if it succeeded and the user is still on this screen: a
   * user who has left must not be moved.
   */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** The state of an action that takes time and may fail. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  /** `busy` changes only at the next rendering. This prevents a double click from creating two keys. */
  const running = useRef(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const isUnmounted = useRef(false);
  // A layout effect runs immediately. A busy browser delays an effect after painting.
  useLayoutEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);
  return {
    busy,
    failure,
    async run(work) {
      if (running.current) return false;
      running.current = true;
      setBusy(true);
      setFailure(undefined);
      try {
        await work();
        return !isUnmounted.current;
      } catch (error) {
        setFailure(toApiFailure(error));
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
  };
}
