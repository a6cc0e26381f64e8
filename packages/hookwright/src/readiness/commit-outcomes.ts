import type { Clock } from "@hookwright/delivery";
import { StorageError } from "@hookwright/storage";
import type { Commit, StorageErrorCode } from "@hookwright/storage";

/** The outcomes of all commits of the process in the last seconds. */
export interface CommitOutcomes {
  /**
   * A commit begins. The returned function notes its end: without an error it succeeded, or its checks refused it. It does not hold the
   * commit.
   */
  begin(commit: Commit): (error?: unknown) => void;
  /** The last error, if most of the commits of the last seconds failed, and one of them after this time. */
  readonly failingSince: (time: number) => { readonly error: unknown } | undefined;
  /**
   * The length of a text that is as difficult to store as the largest commit that failed, up to a limit. 0: none failed.
   */
  readonly failedLength: () => number;
  /** Forgets all of them, because the storage works again. */
  forget(): void;
}

const windowSeconds = 5;
/** A few failures may be a connection that was lost once. */
const leastFailures = 5;
/** Databases write whole pages. */
const pageBytes = 4_096;
const greatestLength = 64 * 1_024;

/** Errors of the caller, and those of a store that is closing. They say nothing about the storage. */
const otherCodes: ReadonlySet<StorageErrorCode> = new Set([
  "closed",
  "invalid_key",
  "key_too_long",
  "wrong_partition",
  "invalid_value",
  "value_too_large",
  "invalid_sum",
  "invalid_argument",
  "already_taken",
] as const);

interface Second {
  at: number;
  succeeded: number;
  failed: number;
}

/** Counts the outcomes second by second. */
export function createCommitOutcomes({ now }: Pick<Clock, "now">): CommitOutcomes {
  const seconds: Second[] = Array.from({ length: windowSeconds }, () => ({ at: 0, succeeded: 0, failed: 0 }));
  let last: { readonly error: unknown; readonly at: number } | undefined;
  let failedLength = 0;

  function currentSecond(): Second | undefined {
    const at = Math.floor(now() / 1_000);
    const second = seconds[at % windowSeconds];
    if (second !== undefined && second.at !== at) Object.assign(second, { at, succeeded: 0, failed: 0 });
    return second;
  }

  function note(length: number, error: unknown): void {
    if (error instanceof StorageError && otherCodes.has(error.code)) return;
    const second = currentSecond();
    if (second === undefined) return;
    if (error === undefined) {
      second.succeeded += 1;
      return;
    }
    second.failed += 1;
    last = { error, at: now() };
    failedLength = Math.max(failedLength, Math.min(length, greatestLength));
  }

  return {
    begin(commit) {
      const length = toLength(commit);
      return (error) => note(length, error);
    },
    failingSince(time) {
      const after = Math.floor(now() / 1_000) - windowSeconds;
      const recent = seconds.filter(({ at }) => at > after);
      const failed = recent.reduce((sum, second) => sum + second.failed, 0);
      const succeeded = recent.reduce((sum, second) => sum + second.succeeded, 0);
      if (failed < leastFailures || failed <= succeeded) return undefined;
      return last !== undefined && last.at > time ? last : undefined;
    },
    failedLength: () => failedLength,
    forget() {
      failedLength = 0;
      for (const second of seconds) second.failed = 0;
    },
  };
}

function toLength({ mutations }: Commit): number {
  let length = (mutations.length - 1) * pageBytes;
  for (const mutation of mutations) if (mutation.type === "set") length += mutation.value.length;
  return Math.max(1, length);
}
