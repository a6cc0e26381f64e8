import type { Key, Mutation, Store } from "@hookwright/storage";
import type { ApiKeyRow } from "../rows/api-key-row.ts";
import { keys } from "../rows/keys.ts";

/** Keys that are listed of an account, those in force included. */
const maximumListed = 1_000;
/** Removed at once; more are left to the next time. */
const mostForgotten = 100;

/**
 * Revoked keys stay in the list, which shows when each was used last, but not for ever: of more than a thousand keys those
 * go that were revoked longest ago, with all that leads to them. What leads to a key goes first, so that a process that dies
 * in between leaves a row, which the next time finds.
 */
export async function forgetRevokedKeys(store: Store, accountId: string): Promise<void> {
  const entries = await store.list({
    prefix: keys.apiKeys(accountId),
    limit: maximumListed + mostForgotten,
  });
  const tooMany = entries.length - maximumListed;
  if (tooMany <= 0) return;
  const oldest = entries
    .map(({ value }): ApiKeyRow => JSON.parse(value))
    .filter(({ revoked_at: revokedAt }) => revokedAt !== null)
    .sort((one, other) => Number(one.revoked_at) - Number(other.revoked_at))
    .slice(0, tooMany);
  await Promise.all(
    oldest.flatMap(leadingTo).map((key) => store.commit(key[0], { mutations: [toDelete(key)] })),
  );
  const [partition] = keys.apiKeys(accountId);
  const own = oldest.flatMap(({ id }) => [keys.apiKey(accountId, id), keys.apiKeyUse(accountId, id)]);
  await store.commit(partition, { mutations: own.map(toDelete) });
}

function leadingTo({ id, fingerprint }: ApiKeyRow): Key[] {
  const directory = keys.directory("api-key", id);
  return fingerprint === undefined ? [directory] : [directory, keys.keyFingerprint(fingerprint)];
}

function toDelete(key: Key): Mutation {
  return { type: "delete", key };
}
