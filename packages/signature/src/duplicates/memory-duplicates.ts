import { SignatureError } from "../signature-error.ts";
import type { DuplicateStorage } from "./duplicate-storage.ts";

interface StoredMark {
  readonly mark: string;
  readonly until: number;
}

/**
 * Stores the marks of a guard in the memory of this process: for a receiver that is one process and may handle an event again
 * after a restart.
 *
 * @param options.most how many events are kept; beyond that the oldest are forgotten. @default 100000
 * @param options.now milliseconds since the epoch. @default Date.now
 * @throws SignatureError `invalid_option`
 */
export function memoryDuplicates({
  most = 100_000,
  now = Date.now,
}: { readonly most?: number | undefined; readonly now?: (() => number) | undefined } = {}): DuplicateStorage {
  if (!(most >= 1)) throw new SignatureError("invalid_option", "most must be a number of events, at least 1");
  /** Ordered by last change, oldest first. */
  const marks = new Map<string, StoredMark>();

  function keep(key: string, mark: string, seconds: number): void {
    marks.delete(key);
    marks.set(key, { mark, until: now() + seconds * 1_000 });
    for (const [oldest, { until }] of marks) {
      if (marks.size <= most && until > now()) break;
      marks.delete(oldest);
    }
  }

  return {
    claim(key, mark, seconds) {
      const known = marks.get(key);
      if (known !== undefined && known.until > now()) return known.mark;
      keep(key, mark, seconds);
      return null;
    },
    put: keep,
    remove(key, mark) {
      if (marks.get(key)?.mark === mark) marks.delete(key);
    },
  };
}
