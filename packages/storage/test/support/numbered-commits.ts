import type { Commit, CommitResult, Entry, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";

const partition = "p07";

/**
 * Returns the commit with this number: several rows at once are set, summed or removed, some with unusual
 * bytes.
 */
export function numberedCommit(number: number): Commit {
  return {
    mutations: [
      { type: "set", key: [partition, "last"], value: String(number) },
      { type: "sum", key: [partition, "count"], amount: 1 },
      {
        type: "set",
        key: [partition, "row", number % 7],
        value: `${number} ${"é\0😀\uFEFF\r\n\x7f".repeat(number % 5)}`,
      },
      { type: "delete", key: [partition, "row", (number * 3) % 7] },
      { type: "set", key: [partition, "Wide", "\0:/\\?%😀", number], value: "x".repeat((number * 37) % 200) },
      { type: "delete", key: [partition, "Wide", "\0:/\\?%😀", number - 20] },
    ],
  };
}

export function commitNumber(store: Store, number: number): Promise<CommitResult> {
  return store.commit(partition, numberedCommit(number));
}

/** Returns all rows. */
export function contentsOf(store: Store): Promise<Entry[]> {
  return store.list({ prefix: [partition], limit: 10_000 });
}

/** Returns the contents after exactly these commits in this order. */
export async function contentsAfter(numbers: readonly number[]): Promise<Entry[]> {
  await using model = memoryStore();
  for (const number of numbers) await commitNumber(model, number);
  return contentsOf(model);
}

/** Returns the number of the last commit in a store, or 0 if it is empty. */
export async function lastNumber(store: Store): Promise<number> {
  return Number((await store.get([partition, "last"])) ?? 0);
}
