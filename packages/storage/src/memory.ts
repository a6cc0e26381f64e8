import { checkAmount, checkExpiry, checkGivenExpiry, toExpiresAt } from "./commit/expiry.ts";
import { readNotify } from "./commit/merged-keys.ts";
import { createSumPlan, type Held } from "./commit/sum-plan.ts";
import { sumError } from "./commit/counter.ts";
import { checkText } from "./commit/text.ts";
import { checkPartition, closedError, refuseTakes, wrongPartition } from "./commit/refusals.ts";
import { createWatchers } from "./commit/watchers.ts";
import { encodeKey } from "./keys/key-codec.ts";
import { createRowsInMemory, toHeld, type Row } from "./memory/rows-in-memory.ts";
import type { SortedRows } from "./memory/sorted-rows.ts";
import type { Commit, CommitResult, Key, Mutation, Store } from "./port.ts";

const committed: CommitResult = Object.freeze({ ok: true });

/**
 * Creates a store in the memory of this process, for tests. All data is lost when the process ends.
 *
 * A commit is applied before the call returns.
 *
 * @param options.now the clock of the store, ms since the epoch. It decides which entries have expired. @default Date.now
 * @param options.sweepIntervalMs how often the store removes expired entries; they are absent at once. @default 1000
 * @example
 * const store = memoryStore();
 * await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "greeting"], value: "hello" }] });
 */
export function memoryStore(
  options: { readonly now?: (() => number) | undefined; readonly sweepIntervalMs?: number | undefined } = {},
): Store {
  const { now = Date.now, sweepIntervalMs = 1_000 } = options;
  const rows = createRowsInMemory({ now, sweepIntervalMs, assertOpen });
  const { visibleText, put } = rows;
  const watchers = createWatchers();
  let closed = false;

  function assertOpen(): void {
    if (closed) throw closedError();
  }

  /** Computes the sums of a commit, or throws if one is invalid. */
  function planSums(
    partition: SortedRows<Row>,
    mutations: readonly Mutation[],
    encodedKeys: readonly string[],
    time: number,
  ): Map<number, Held> {
    const planned = new Map<number, Held>();
    const summed = encodedKeys.filter((_, index) => mutations[index]?.type === "sum");
    const plan = createSumPlan(summed, (encoded) => toHeld(partition.get(encoded)), time);
    mutations.forEach((mutation, index) => {
      const encoded = encodedKeys[index] ?? "";
      if (!plan.has(encoded)) return;
      if (mutation.type === "set")
        plan.set(encoded, { text: mutation.value, expiresAt: toExpiresAt(mutation, time) });
      else if (mutation.type === "delete") plan.delete(encoded);
      else {
        const result = plan.sum(encoded, mutation.amount, mutation.expiresAt);
        if ("error" in result) throw sumError(result.error, mutation.key);
        planned.set(index, result);
      }
    });
    return planned;
  }

  function apply(name: string, { checks, mutations, notify }: Commit): CommitResult {
    checkPartition(name);
    // Everything is validated before the first write, so an error changes nothing.
    const encodedKeys = mutations.map((mutation) => encodeWritable(mutation, name));
    const notified = readNotify(notify, name);
    const partition = rows.partition(name);
    if (checks !== undefined) {
      let failed: Key | undefined;
      let nextIndex = 0;
      for (const { key, value } of checks) {
        if (key[0] !== name) throw wrongPartition(key, name);
        if (value !== undefined) checkText(value);
        const written = indexOfMutation(mutations, key, nextIndex);
        if (written !== undefined) nextIndex = written + 1;
        const encoded = (written === undefined ? undefined : encodedKeys[written]) ?? encodeKey(key);
        if (visibleText(partition.get(encoded)) !== value) failed ??= [...key];
      }
      if (failed !== undefined) return { ok: false, failed };
    }
    const time = now();
    const hasSum = mutations.some(({ type }) => type === "sum");
    const sums = hasSum ? planSums(partition, mutations, encodedKeys, time) : undefined;
    for (let index = 0; index < mutations.length; index++) {
      const mutation = mutations[index];
      const encoded = encodedKeys[index];
      if (mutation === undefined || encoded === undefined) continue;
      if (mutation.type === "set") put(partition, encoded, mutation.value, toExpiresAt(mutation, time));
      else if (mutation.type === "delete") partition.delete(encoded);
      else {
        const sum = sums?.get(index);
        if (sum !== undefined) put(partition, encoded, sum.text, sum.expiresAt);
      }
    }
    if (notified !== undefined) watchers.notify(notified);
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
      refuseTakes(commit);
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

/**
 * Validates a mutation and returns its encoded key.
 *
 * @throws {StorageError} if the mutation is invalid
 */
function encodeWritable(mutation: Mutation, partition: string): string {
  const { key, type } = mutation;
  if (key[0] !== partition) throw wrongPartition(key, partition);
  const encoded = encodeKey(key);
  if (type === "set") {
    checkText(mutation.value);
    checkGivenExpiry(mutation);
  } else if (type === "sum") {
    checkAmount(mutation.amount);
    if (mutation.expiresAt !== undefined) checkExpiry(mutation.expiresAt);
  }
  return encoded;
}

/** Covers one publication: its record's rows, the customer's rows, and a delivery for each of 50 webhooks. */
const maxSearched = 64;

/**
 * Finds a mutation with the same key object as a check. Most checks have one, in the same order, so the key
 * is not encoded twice.
 */
function indexOfMutation(mutations: readonly Mutation[], key: Key, from: number): number | undefined {
  const end = Math.min(mutations.length, from + maxSearched);
  for (let index = from; index < end; index++) if (mutations[index]?.key === key) return index;
  return undefined;
}
