import { judgeCommits } from "./commit/judge-commits.ts";
import { toExpiresAt } from "./commit/expiry.ts";
import { prepareCommit } from "./commit/prepare-commit.ts";
import { checkPartition, closedError } from "./commit/refusals.ts";
import { createWatchers } from "./commit/watchers.ts";
import { decodeKey } from "./keys/key-codec.ts";
import { createRowsInMemory, toHeld } from "./memory/rows-in-memory.ts";
import type { Commit, CommitResult, Store } from "./port.ts";
import { StorageError } from "./storage-error.ts";

const committed: CommitResult = Object.freeze({ ok: true });

/**
 * Creates a store in the memory of this process, for tests. All data is lost when the process ends.
 *
 * A commit is applied before the call returns.
 *
 * @param options.now the clock of the store, ms since the epoch. It decides which entries have expired. @default Date.now
 * @param options.sweepIntervalMs how often the store removes expired entries while it is used; they are absent at once. @default 1000
 * @example
 * const store = memoryStore();
 * await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "greeting"], value: "hello" }] });
 */
export function memoryStore(
  options: { readonly now?: (() => number) | undefined; readonly sweepIntervalMs?: number | undefined } = {},
): Store {
  const { now = Date.now, sweepIntervalMs = 1_000 } = options;
  const rows = createRowsInMemory({ now, sweepIntervalMs, assertOpen });
  const watchers = createWatchers();
  let closed = false;

  function assertOpen(): void {
    if (closed) throw closedError();
  }

  function apply(name: string, commit: Commit): CommitResult {
    checkPartition(name);
    // Everything is validated before the first write, so an error changes nothing.
    const prepared = prepareCommit(name, commit);
    const { checks, mutations, notify } = prepared;
    const partition = rows.partition(name);
    const time = now();
    if (mutations.some(({ type }) => type === "sum")) {
      const read = (key: string) => toHeld(partition.get(key));
      const { changes, outcomes } = judgeCommits({ commits: [prepared], read, now: time });
      const [outcome = committed] = outcomes;
      if (outcome instanceof StorageError) throw outcome;
      if (!outcome.ok) return outcome;
      for (const [key, { held }] of changes) rows.apply(key, held);
    } else {
      const failed = checks.find(({ key, text }) => rows.visibleText(partition.get(key)) !== text);
      if (failed !== undefined) return { ok: false, failed: decodeKey(failed.key) };
      // Faster than the changes above, which find the last mutation of each key.
      for (const mutation of mutations) {
        if (mutation.type === "set")
          rows.put(partition, mutation.key, mutation.text, toExpiresAt(mutation, time));
        else partition.delete(mutation.key);
      }
    }
    if (notify !== undefined) watchers.notify(notify);
    return committed;
  }

  async function close(): Promise<void> {
    closed = true;
    rows.close();
  }

  return {
    name: "memory",
    ...rows.reads,
    async commit(partition, commit) {
      assertOpen();
      return apply(partition, commit);
    },
    watch(listener) {
      assertOpen();
      return watchers.watch(listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
