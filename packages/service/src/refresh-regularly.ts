import type { Clock } from "@hookwright/delivery";

export interface RefreshOptions {
  readonly clock: Clock;
  /** Milliseconds from the end of a read to the next. */
  readonly intervalMs: number;
  readonly refresh: () => Promise<unknown>;
  /** Asked before each wait: `false` ends it. @default always true */
  readonly isNeeded?: (() => boolean) | undefined;
}

/** Refreshes what a process knows of the store. Returns a function that ends it. */
export function refreshRegularly(options: RefreshOptions): () => void {
  const { clock, intervalMs, refresh, isNeeded = () => true } = options;
  let isEnded = false;
  let cancel = (): void => {};
  const next = (): void => {
    if (isEnded || !isNeeded()) return;
    cancel = clock.schedule(async () => {
      // After an error the next read may succeed.
      await refresh().catch(() => {});
      next();
    }, intervalMs);
  };
  next();
  return () => {
    isEnded = true;
    cancel();
  };
}
