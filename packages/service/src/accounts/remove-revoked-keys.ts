import type { Key, Mutation, Store } from "@hookwright/storage";
import type { ApiKeyRow } from "../rows/api-key-row.ts";
import { keys } from "../rows/keys.ts";

/** Keys in the list of an account, active keys included. */
const maximumListed = 1_000;
/** Keys removed per call. The next call removes the rest. */
const batchSize = 100;

/**
 * Removes the keys that were revoked longest ago if an account has more than 1,000 keys. Lookup entries are removed first. If the
 * process dies in between, the row remains and the next call removes it.
 */
export async function removeRevokedKeys(store: Store, accountId: string): Promise<void> {
  const entries = await store.list({
    prefix: keys.apiKeys(accountId),
    limit: maximumListed + batchSize,
  });
  const excess = entries.length - maximumListed;
  if (excess <= 0) return;
  const oldest = entries
    .map(({ value }): ApiKeyRow => JSON.parse(value))
    .filter(({ revoked_at: revokedAt }) => revokedAt !== null)
    .sort((one, other) => Number(one.revoked_at) - Number(other.revoked_at))
    .slice(0, excess);
  await Promise.all(
    oldest.flatMap(lookupKeys).map((key) => store.commit(key[0], { mutations: [toDelete(key)] })),
  );
  const [partition] = keys.apiKeys(accountId);
  const own = oldest.flatMap(({ id }) => [keys.apiKey(accountId, id), keys.apiKeyUse(accountId, id)]);
  await store.commit(partition, { mutations: own.map(toDelete) });
}

function lookupKeys({ id, fingerprint }: ApiKeyRow): Key[] {
  const directory = keys.directory("api-key", id);
  return fingerprint === undefined ? [directory] : [directory, keys.keyFingerprint(fingerprint)];
}

function toDelete(key: Key): Mutation {
  return { type: "delete", key };
}
