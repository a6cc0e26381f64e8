import { useEffect, useRef, useState } from "preact/hooks";
import { useConsole } from "./console-context.ts";
import type { LiveChange, LiveStatus } from "./live.ts";

/** Calls `onChange` for each change of the account. */
export function useLive(onChange: (change: LiveChange) => void): void {
  const { live } = useConsole();
  const newest = useRef(onChange);
  newest.current = onChange;
  useEffect(() => live.onChange((change) => newest.current(change)), [live]);
}

/**
 * Reloads after changes: at once after the first, then at most once in `intervalMs`.
 *
 * @param isWanted which changes matter
 */
export function useLiveReload(
  reload: () => void,
  isWanted: (change: LiveChange) => boolean,
  intervalMs = 3_000,
): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastAt = useRef(0);
  const newest = useRef(reload);
  newest.current = reload;
  useLive((change) => {
    if (change.type !== "reset" && !isWanted(change)) return;
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        lastAt.current = Date.now();
        newest.current();
      },
      Math.max(0, lastAt.current + intervalMs - Date.now()),
    );
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

export function useLiveStatus(): { readonly status: LiveStatus; readonly lostAt: number | undefined } {
  const { live } = useConsole();
  const read = () => ({ status: live.status(), lostAt: live.lostAt() });
  const [state, setState] = useState(read);
  useEffect(() => {
    setState(read());
    return live.onStatus(() => setState(read()));
  }, [live]);
  return state;
}
