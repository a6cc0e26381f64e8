import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/api-failure.ts";
import type { ApiFailure } from "../api/api-failure.ts";

export interface Action {
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  /**
   * Runs one thing at a time; what it throws is shown. Answers whether it went well and the reader is still here: who has gone on
   * elsewhere is not to be led away from there.
   */
  readonly run: (work: () => Promise<void>) => Promise<boolean>;
}

/** Something the reader does, which takes a moment and may be refused. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  /** Known at once, where `busy` is known at the next rendering: a double click makes one key, not two. */
  const running = useRef(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const gone = useRef(false);
  // Not after the next painting, which a busy browser puts off.
  useLayoutEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
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
        return !gone.current;
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
