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

/** Reloads at an interval what the stream of changes does not tell, while the page is visible and not paused. */
export function useRefresh(reload: () => void, intervalMs: number): void {
  const { live } = useConsole();
  const newest = useRef(reload);
  newest.current = reload;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden && live.status() !== "paused") newest.current();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [live, intervalMs]);
}

const soonestMs = 2_000;
const latestMs = 60_000;

export interface PollingOptions {
  /** True if something is pending and no request is in progress. */
  readonly isPending: boolean;
  /** When the change is expected, if known. */
  readonly dueAt: string | null;
  /** True if the last request failed, for example because of a rate limit. The next one follows after a minute. */
  readonly hasFailed: boolean;
  readonly poll: () => void;
}

/** Polls for pending changes: at the expected time, at least every minute, and only while the page is visible. */
export function usePolling({ isPending, dueAt, hasFailed, poll }: PollingOptions): void {
  useEffect(() => {
    if (!isPending) return undefined;
    const dueInMs = dueAt === null ? 0 : Date.parse(dueAt) - Date.now();
    const pollIfVisible = (): void => {
      if (!document.hidden) poll();
    };
    const delayMs = hasFailed ? latestMs : Math.min(latestMs, Math.max(soonestMs, dueInMs));
    const timer = setTimeout(pollIfVisible, delayMs);
    document.addEventListener("visibilitychange", pollIfVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", pollIfVisible);
    };
  }, [isPending, dueAt, hasFailed, poll]);
}
