import { HookwrightError, keyRights } from "@hookwright/domain";
import { createTextCache } from "@hookwright/storage/text-cache";
import type { ServiceContext } from "../context.ts";
import { readMarkedAccount } from "../lookups/read-account.ts";
import { parseAccountRow, toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { expiredKey, unknownKey } from "../rows/credential-rows.ts";
import type { ApiKeyRow } from "../rows/credential-rows.ts";
import { toFingerprint } from "../rows/credential-rows.ts";
import type { FingerprintRow } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { consoleTokenPrefix } from "../rows/credential-rows.ts";
import type { SessionRow } from "../rows/credential-rows.ts";
import { toSessionHolder } from "../sign-in/session-holder.ts";
import type { Caller, Service } from "../use-cases.ts";

/** `last_used_at` has a resolution of a minute, which saves a commit per request. */
const useIntervalMs = 60_000;
/** The maximum number of keys in each in-memory map. */
const maximumCached = 100_000;

/**
 * Finds the caller of a token. Each request reads the key's row, so that a revocation takes effect with the commit that also removes
 * its webhooks.
 */
export function createAuthenticate({ store, now, onError }: ServiceContext): Service["authenticate"] {
  const parseKey = createTextCache((text): ApiKeyRow => JSON.parse(text));
  const parseSession = createTextCache((text): SessionRow => JSON.parse(text));
  /** Converted accounts by row. All callers share them, so callers must not change them. */
  const accounts = new WeakMap<AccountRow, Caller["account"]>();
  const lastUses = new Map<string, number>();
  /** Owners by fingerprint. They never change, so entries need no invalidation. */
  const owners = new Map<string, FingerprintRow>();

  function recordUse(accountId: string, keyId: string): void {
    const at = now();
    // The absolute difference, because the clock may have stepped back.
    if (Math.abs(at - (lastUses.get(keyId) ?? 0)) < useIntervalMs) return;
    if (lastUses.size >= maximumCached) lastUses.clear();
    lastUses.set(keyId, at);
    const key = keys.apiKeyUse(accountId, keyId);
    // Not awaited. If this write fails, the use in the next minute is written.
    store
      .commit(key[0], { mutations: [{ type: "set", key, value: String(at) }] })
      .catch((error: unknown) =>
        onError(error, { account_id: accountId, key_id: keyId, code: "key_use_not_recorded" }),
      );
  }

  /** A console token is valid until it expires or signs out, the password changes, the person is removed, or sessions are ended. */
  async function authenticateSession(token: string): Promise<Caller> {
    const text = await store.get(keys.consoleSession(toFingerprint(token)));
    if (text === undefined) throw unknownToken();
    const session = parseSession(text);
    const { account_id: accountId, mark, expires_at: expiresAt } = session;
    if (now() >= expiresAt) {
      throw new HookwrightError("console_token_expired", "The console token has expired. Sign in again.");
    }
    const { accountText, person, mark: current } = await readMarkedAccount(store, accountId, session);
    if (accountText === undefined || current !== mark) throw unknownToken();
    const readOnly = session.read_only ?? false;
    const link = session.link && { createdBy: session.link.created_by };
    const account = accountOf(accountText);
    const holder = toSessionHolder(account, person, session);
    return {
      accountId,
      account,
      role: holder.role,
      rights: holder.rights,
      person: holder.person,
      credential: {
        type: "console",
        readOnly,
        ...(link === undefined ? {} : { link }),
        sessionId: session.id,
        personId: session.person_id,
      },
      expiresAt,
    };
  }

  function accountOf(text: string): Caller["account"] {
    const row = parseAccountRow(text);
    const account = accounts.get(row) ?? toAccount(row);
    accounts.set(row, account);
    return account;
  }

  async function findOwner(fingerprint: string): Promise<FingerprintRow> {
    const text = await store.get(keys.keyFingerprint(fingerprint));
    if (text === undefined) throw unknownKey();
    const owner: FingerprintRow = JSON.parse(text);
    if (owners.size >= maximumCached) owners.clear();
    owners.set(fingerprint, owner);
    return owner;
  }

  return async (token) => {
    if (token.startsWith(consoleTokenPrefix)) return authenticateSession(token);
    const fingerprint = toFingerprint(token);
    const { account_id: accountId, key_id: keyId } =
      owners.get(fingerprint) ?? (await findOwner(fingerprint));
    const [keyText, accountText] = await store.getMany([
      keys.apiKey(accountId, keyId),
      keys.account(accountId),
    ]);
    if (keyText === undefined || accountText === undefined) throw unknownKey();
    const key = parseKey(keyText);
    if (key.revoked_at !== null) throw unknownKey();
    if (key.expires_at !== undefined && now() >= key.expires_at) throw expiredKey();
    recordUse(accountId, keyId);
    return {
      accountId,
      account: accountOf(accountText),
      rights: key.rights ?? keyRights,
      projectId: key.project_id,
      credential: { type: "key", keyId, name: key.name, integration: key.integration },
      expiresAt: key.expires_at,
    };
  };
}

function unknownToken(): HookwrightError {
  return new HookwrightError("invalid_api_key", "The console token is unknown or signed out. Sign in again.");
}
