import { useRef, useState } from "preact/hooks";
import { toApiFailure } from "../api/api-failure.ts";
import type { ApiFailure } from "../api/api-failure.ts";

export interface Action {
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  /** Runs one thing at a time; what it throws is shown. Answers whether it went well. */
  readonly run: (work: () => Promise<void>) => Promise<boolean>;
}

/** Something the reader does, which takes a moment and may be refused. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  /** Known at once, where `busy` is known at the next rendering: a double click makes one key, not two. */
  const running = useRef(false);
  const [failure, setFailure] = useState<ApiFailure>();
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
        return true;
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
