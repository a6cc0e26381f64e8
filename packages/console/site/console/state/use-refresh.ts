import { useEffect, useRef } from "preact/hooks";
import { useConsole } from "./console-context.ts";

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
