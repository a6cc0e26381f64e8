import type { PartitionWatchers } from "../commit/partition-watchers.ts";
import type { CommitResult } from "../port.ts";
import { findReason } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";
import { judgeCommits, type Judgement } from "../commit/judge-commits.ts";
import type { Journal } from "./journal.ts";
import type { Ownership } from "./ownership.ts";
import type { Parts } from "./parts.ts";
import type { PreparedCommit } from "../commit/prepare-commit.ts";
import { toRowText } from "./row-text.ts";
import type { Rows } from "./rows.ts";

/** Writes commits in groups, one group after the other. */
export interface CommitQueue {
  /** Resolves once the commit is in the log and visible. */
  commit(prepared: PreparedCommit): Promise<CommitResult>;
  /** Resolves when everything that was asked for has been answered. */
  drained(): Promise<void>;
}

interface Waiting {
  readonly prepared: PreparedCommit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Drivers hold items in memory, and some limit them; a group is never smaller than one commit. */
const mostCommitsInGroup = 1_000;
const mostGroupSize = 1024 * 1024;

/**
 * A change becomes visible when its log item is there, never before: nobody sees, or builds upon, what may still fail.
 *
 * @param options.onGroup is told how long each log item is, once it has been applied
 */
export function createCommitQueue(options: {
  readonly journal: Journal;
  readonly ownership: Ownership;
  readonly rows: Rows;
  readonly parts: Parts;
  readonly watchers: PartitionWatchers;
  readonly now: () => number;
  readonly onGroup: (size: number) => void;
}): CommitQueue {
  const { journal, ownership, rows, parts, watchers, now, onGroup } = options;
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  function takeGroup(): Waiting[] {
    let count = 0;
    for (let size = 0; count < Math.min(waiting.length, mostCommitsInGroup); count++) {
      size += waiting[count]?.prepared.size ?? 0;
      if (count > 0 && size > mostGroupSize) break;
    }
    return waiting.splice(0, count);
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // What is asked for in one turn of the event loop shares an item; so does what the last group set free.
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
      // Nothing is written, and yet an answer is given: it must not come from one who has been taken over.
      try {
        await ownership.confirm();
      } catch (error) {
        for (const { reject } of group) reject(error);
        return;
      }
    } else {
      const rowTexts = Array.from(changes.values(), ({ keyJson, held }) =>
        toRowText(keyJson, held?.text, held?.expiresAt),
      );
      try {
        const position = await journal.append(rowTexts);
        journal.applied(position);
      } catch (cause) {
        // Those too that only a check refused: it may have been judged by what has not happened.
        const error = inDoubt(cause);
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
      const { partition, wake } = prepared;
      if (outcome.ok && wake !== false) watchers.wake(partition, wake === true ? undefined : wake);
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

function inDoubt(cause: unknown): StorageError {
  const [code, reason] =
    cause instanceof StorageError ? [cause.code, cause.message] : (["unavailable", String(cause)] as const);
  return new StorageError(
    code,
    `${reason} The commit is not visible, but it may be stored, and then be there when the storage is opened again. Read before you repeat it.`,
    { cause, reason: findReason(cause) },
  );
}
