import { useEffect } from "preact/hooks";

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
