import type { Check, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
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
  for await (const page of listPages(store, { prefix: keys.apiKeys(accountId) })) {
    for (const { value } of page) {
      const row: ApiKeyRow = JSON.parse(value);
      if (row.revoked_at === null) count += 1;
    }
  }
  return count;
}
