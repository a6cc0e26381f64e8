import { createTextCache } from "@hookwright/delivery";
import { HookwrightError } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { keys } from "../store/keys.ts";
import type { Caller, Service } from "../use-cases.ts";
import { parseAccountRow, toAccount } from "./account-row.ts";
import type { AccountRow } from "./account-row.ts";
import { toFingerprint } from "./api-keys.ts";
import type { ApiKeyRow, FingerprintRow } from "./api-keys.ts";

/** `last_used_at` is shown in minutes at best: once a minute is written, not once a request. */
const useIntervalMs = 60_000;

/**
 * Whose token this is. A revoked key is refused by its own row, in the account's partition, so revoking takes effect
 * with the commit that also removes its webhooks.
 */
export function createAuthenticate({ store, now, onFault }: ServiceContext): Service["authenticate"] {
  const parseFingerprint = createTextCache((text): FingerprintRow => JSON.parse(text));
  const parseKey = createTextCache((text): ApiKeyRow => JSON.parse(text));
  const accounts = new WeakMap<AccountRow, Caller["account"]>();
  const lastUses = new Map<string, number>();

  function noteUse(accountId: string, keyId: string): void {
    const at = now();
    if (at - (lastUses.get(keyId) ?? 0) < useIntervalMs) return;
    if (lastUses.size >= 100_000) lastUses.clear();
    lastUses.set(keyId, at);
    const key = keys.apiKeyUse(accountId, keyId);
    // The request does not wait for it: should it be lost, the next minute's is not.
    store.commit(key[0], { mutations: [{ type: "set", key, value: String(at) }] }).catch(onFault);
  }

  return async (token) => {
    const fingerprint = await store.get(keys.keyFingerprint(toFingerprint(token)));
    if (fingerprint === undefined) throw unknownKey();
    const { account_id: accountId, key_id: keyId } = parseFingerprint(fingerprint);
    const [keyText, accountText] = await store.getMany([
      keys.apiKey(accountId, keyId),
      keys.account(accountId),
    ]);
    if (keyText === undefined || accountText === undefined) throw unknownKey();
    const key = parseKey(keyText);
    if (key.revoked_at !== null) throw unknownKey();
    const row = parseAccountRow(accountText);
    const account = accounts.get(row) ?? toAccount(row);
    accounts.set(row, account);
    noteUse(accountId, keyId);
    return {
      accountId,
      account,
      credential: { type: "key", keyId, name: key.name, integration: key.integration },
    };
  };
}

function unknownKey(): HookwrightError {
  return new HookwrightError(
    "invalid_api_key",
    "The API key is unknown or revoked. Create another in the developer console.",
  );
}
