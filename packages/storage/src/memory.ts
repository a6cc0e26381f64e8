import { addToCounter, sumError, type Held } from "./commit/counter.ts";
import { toExpiresAt } from "./commit/expiry.ts";
import { prepareCommit, type PreparedMutation } from "./commit/prepare-commit.ts";
import { checkPartition, closedError } from "./commit/refusals.ts";
import { createWatchers } from "./commit/watchers.ts";
import { decodeKey } from "./keys/key-codec.ts";
import { createRowsInMemory, toHeld } from "./memory/rows-in-memory.ts";
import type { Commit, CommitResult, Store } from "./port.ts";

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
    const { checks, mutations, notify } = prepareCommit(name, commit);
    const partition = rows.partition(name);
    const time = now();
    const failed = checks.find(({ key, text }) => rows.visibleText(partition.get(key)) !== text);
    if (failed !== undefined) return { ok: false, failed: decodeKey(failed.key) };
    const changes = resolveSums(mutations, (key) => toHeld(partition.get(key)), time);
    for (const change of changes) {
      if (change.type === "delete") partition.delete(change.key);
      else rows.put(partition, change.key, change.text, toExpiresAt(change, time));
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
    readFacts: async () => ({
      unsafe: [
        {
          setting: "the data is in the memory of this process, so it is lost when the process ends",
          fix: "Use a directory, Redis or PostgreSQL.",
        },
      ],
      safe: "",
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Replaces each sum with a `set` of its result. A sum sees the earlier mutations of its key. Only keys as long as one of a sum are looked
 * up: V8 interns each text that a map is asked about, which takes longer than the rest of the commit.
 *
 * @throws {StorageError} `invalid_sum`
 */
function resolveSums(
  mutations: readonly PreparedMutation[],
  read: (key: string) => Held | undefined,
  now: number,
): readonly Exclude<PreparedMutation, { readonly type: "sum" }>[] {
  const counters = new Map<string, Held | undefined>();
  const lengths = new Set<number>();
  for (const { type, key } of mutations) {
    if (type !== "sum") continue;
    counters.set(key, read(key));
    lengths.add(key.length);
  }
  return mutations.map((mutation) => {
    const { type, key } = mutation;
    if (type === "sum") {
      const sum = addToCounter(counters.get(key), mutation, now);
      if ("error" in sum) throw sumError(sum.error, decodeKey(key));
      counters.set(key, sum);
      return { type: "set", key, ...sum };
    }
    if (lengths.has(key.length) && counters.has(key)) {
      const isSet = type === "set";
      counters.set(key, isSet ? { text: mutation.text, expiresAt: toExpiresAt(mutation, now) } : undefined);
    }
    return mutation;
  });
}
