import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import type { ApiKeyRow } from "../rows/api-key-row.ts";
import { keys } from "../rows/keys.ts";

/** The number of active keys of an account, and what a commit needs to change it. */
export interface ApiKeyCount {
  readonly count: number;
  /** Include it in a commit that changes the number. Then concurrent changes conflict. */
  readonly check: Check;
  /** The mutation that stores the new number. */
  readonly set: (count: number) => Mutation;
}

const pageSize = 500;

/** Reads the counter. Accounts of older versions have none, so their keys are counted. */
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
