import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/console-api.ts";
import type { ApiFailure } from "../api/console-api.ts";

export interface Action {
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  /**
   * Runs one action at a time and shows its error. Returns true if it succeeded and the user is still on this screen: a
   * user who has left must not be moved.
   */
  readonly run: (work: () => Promise<void>) => Promise<boolean>;
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
