/** The back-off of records whose events could not be published. */
export interface RecordBackoff {
  isWaiting(record: string): boolean;
  /** Doubles the delay of the record, and returns it in milliseconds. */
  fail(record: string): number;
  succeed(record: string): void;
  /** Milliseconds until the first record is due, or infinity. */
  nextMs(): number;
  /** Records that are not asked for during a pass have no rows any more and are forgotten. */
  startPass(): void;
  endPass(): void;
}

const firstDelayMs = 250;
const maximumDelayMs = 5_000;

/** @param options.now milliseconds, must not jump */
export function createRecordBackoff({ now }: { readonly now: () => number }): RecordBackoff {
  const failed = new Map<string, { readonly dueAt: number; readonly delayMs: number }>();
  let unseen = new Set<string>();

  return {
    isWaiting(record) {
      unseen.delete(record);
      const { dueAt = 0 } = failed.get(record) ?? {};
      return dueAt > now();
    },
    fail(record) {
      const { delayMs: last = firstDelayMs / 2 } = failed.get(record) ?? {};
      const delayMs = Math.min(last * 2, maximumDelayMs);
      failed.set(record, { dueAt: now() + delayMs, delayMs });
      return delayMs;
    },
    succeed(record) {
      failed.delete(record);
    },
    nextMs() {
      let dueAt = Number.POSITIVE_INFINITY;
      for (const each of failed.values()) dueAt = Math.min(dueAt, each.dueAt);
      return Math.max(0, dueAt - now());
    },
    startPass() {
      unseen = new Set(failed.keys());
    },
    endPass() {
      for (const record of unseen) failed.delete(record);
    },
  };
}
