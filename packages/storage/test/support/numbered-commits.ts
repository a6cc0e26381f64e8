import type { Commit, CommitResult, Entry, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";

const partition = "p07";

/** The commit with this number: several rows at once, set, summed, removed, some of them of odd bytes. */
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

/** Every row there is. */
export function contentsOf(store: Store): Promise<Entry[]> {
  return store.list({ prefix: [partition], limit: 10_000 });
}

/** The contents that exactly these commits, in this order, leave behind. */
export async function contentsAfter(numbers: readonly number[]): Promise<Entry[]> {
  await using model = memoryStore();
  for (const number of numbers) await commitNumber(model, number);
  return contentsOf(model);
}

/** The number of the last commit that a store holds, 0 for an empty one. */
export async function lastNumber(store: Store): Promise<number> {
  return Number((await store.get([partition, "last"])) ?? 0);
}
