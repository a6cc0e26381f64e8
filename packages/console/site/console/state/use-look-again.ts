import { useEffect } from "preact/hooks";

const soonestMs = 2_000;
const latestMs = 60_000;

export interface LookAgain {
  /** Whether there is anything to wait for, and nothing under way. */
  readonly waits: boolean;
  /** When it is due, where that is known. */
  readonly dueAt: string | null;
  /** Whether the last look failed, for example because of a rate limit. The next one comes a minute later then. */
  readonly hasFailed: boolean;
  readonly look: () => void;
}

/** Looks again at what is not done yet: about when it is due, every minute at the least, and not while nobody looks. */
export function useLookAgain({ waits, dueAt, hasFailed, look }: LookAgain): void {
  useEffect(() => {
    if (!waits) return undefined;
    const dueInMs = dueAt === null ? 0 : Date.parse(dueAt) - Date.now();
    const lookWhereSeen = (): void => {
      if (!document.hidden) look();
    };
    const delayMs = hasFailed ? latestMs : Math.min(latestMs, Math.max(soonestMs, dueInMs));
    const timer = setTimeout(lookWhereSeen, delayMs);
    document.addEventListener("visibilitychange", lookWhereSeen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", lookWhereSeen);
    };
  }, [waits, dueAt, hasFailed, look]);
}
