import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import type { ApiKeyRow } from "../rows/api-key-row.ts";
import { keys } from "../rows/keys.ts";

/** How many keys of an account are in force, and what a commit that changes their number has to hold. */
export interface ApiKeyCount {
  readonly count: number;
  /** Of two commits that change the number only one gets through; the other counts again. */
  readonly check: Check;
  /** What the number becomes. */
  readonly set: (count: number) => Mutation;
}

const pageSize = 500;

/** Counted once from the keys themselves, for accounts older than the counter; from then on kept beside them. */
export async function readApiKeyCount(store: Store, accountId: string): Promise<ApiKeyCount> {
  const key = keys.apiKeyCount(accountId);
  const text = await store.get(key);
  return {
    count: text === undefined ? await countKeys(store, accountId) : Number(text),
    check: { key, value: text },
    set: (count) => ({ type: "set", key, value: String(count) }),
  };
}

async function countKeys(store: Store, accountId: string): Promise<number> {
  let count = 0;
  for (let after: Key | undefined; ;) {
    const entries = await store.list({ prefix: keys.apiKeys(accountId), limit: pageSize, after });
    for (const { value } of entries) {
      const row: ApiKeyRow = JSON.parse(value);
      if (row.revoked_at === null) count += 1;
    }
    after = entries.at(-1)?.key;
    if (entries.length < pageSize) return count;
  }
}
