import type { Watchers } from "../commit/watchers.ts";
import type { CommitResult } from "../port.ts";
import { findReason } from "../find-reason.ts";
import { decodeKey } from "../keys/key-codec.ts";
import { StorageError } from "../storage-error.ts";
import { judgeCommits, type Judgement } from "../commit/judge-commits.ts";
import type { Journal } from "./journal.ts";
import type { Ownership } from "./ownership.ts";
import type { Parts } from "./parts.ts";
import type { PreparedCommit } from "../commit/prepare-commit.ts";
import { toRowText } from "./row-text.ts";
import type { Rows } from "./rows.ts";

/** Writes commits in groups, one group at a time. */
export interface CommitQueue {
  /** Resolves when the commit is in the log and visible. */
  commit(prepared: PreparedCommit): Promise<CommitResult>;
  /** Resolves when all commits are settled. */
  drained(): Promise<void>;
}

interface Waiting {
  readonly prepared: PreparedCommit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Limits the size of an item, because drivers hold items in memory. A group has at least one commit. */
const maxCommitsInGroup = 1_000;
const maxGroupSize = 1024 * 1024;

/**
 * A change becomes visible when its log item is written, so nobody sees a change that may still fail.
 *
 * @param options.onGroup receives the length of each log item after it was applied
 */
export function createCommitQueue(options: {
  readonly journal: Journal;
  readonly ownership: Ownership;
  readonly rows: Rows;
  readonly parts: Parts;
  readonly watchers: Watchers;
  readonly now: () => number;
  readonly onGroup: (size: number) => void;
}): CommitQueue {
  const { journal, ownership, rows, parts, watchers, now, onGroup } = options;
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  function takeGroup(): Waiting[] {
    let count = 0;
    for (let size = 0; count < Math.min(waiting.length, maxCommitsInGroup); count++) {
      size += waiting[count]?.prepared.size ?? 0;
      if (count > 0 && size > maxGroupSize) break;
    }
    return waiting.splice(0, count);
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // Commits within one iteration of the event loop share an item.
      await new Promise((resolve) => setImmediate(resolve));
      await write(takeGroup());
    }
    running = undefined;
  }

  async function write(group: readonly Waiting[]): Promise<void> {
    const judgement = judgeCommits({
      commits: group.map(({ prepared }) => prepared),
      read: rows.held,
      now: now(),
    });
    const { changes } = judgement;
    if (changes.size === 0) {
      // Nothing is written, but a process that has been taken over must not return a result.
      try {
        await ownership.confirm();
      } catch (error) {
        for (const { reject } of group) reject(error);
        return;
      }
    } else {
      const rowTexts = Array.from(changes, ([key, { held }]) =>
        toRowText(JSON.stringify(decodeKey(key)), held?.text, held?.expiresAt),
      );
      try {
        const position = await journal.append(rowTexts);
        journal.applied(position);
      } catch (cause) {
        // Also those whose check failed, because they may depend on changes that are not written.
        const error = unknownOutcome(cause);
        for (const { reject } of group) reject(error);
        return;
      }
      for (const [key, { held }] of changes) {
        rows.put(key, held);
        parts.mark(key);
      }
      onGroup(rowTexts.reduce((sum, { length }) => sum + length, 0));
    }
    settle(group, judgement);
  }

  function settle(group: readonly Waiting[], { outcomes }: Judgement): void {
    group.forEach(({ prepared, resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome instanceof StorageError) return reject(outcome);
      if (outcome.ok && prepared.notify !== undefined) watchers.notify(prepared.notify);
      resolve(outcome);
    });
  }

  return {
    commit(prepared) {
      return new Promise((resolve, reject) => {
        waiting.push({ prepared, resolve, reject });
        running ??= run();
      });
    },
    async drained() {
      await running;
    },
  };
}

function unknownOutcome(cause: unknown): StorageError {
  const [code, reason] =
    cause instanceof StorageError ? [cause.code, cause.message] : (["unavailable", String(cause)] as const);
  return new StorageError(
    code,
    `${reason} The outcome of the commit is unknown: it is not visible now, but may be when the storage is opened again. Read before you repeat it.`,
    { cause, reason: findReason(cause) },
  );
}
