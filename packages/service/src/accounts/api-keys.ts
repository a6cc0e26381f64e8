import { createHash } from "node:crypto";
import {
  apiKeyInputSchema,
  HookwrightError,
  isHostId,
  parseInput,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import type { ApiKey } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { readIdPage } from "../store/id-page.ts";
import { keys } from "../store/keys.ts";
import type { ApiKeyUseCases } from "../use-cases.ts";
import { listWebhookRows } from "../webhooks/webhook-rows.ts";
import { removeWebhooks } from "../webhooks/remove-webhooks.ts";

/** A key as it is stored: its fingerprint is elsewhere, the key itself nowhere. Times are milliseconds. */
export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly integration: boolean;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** What a fingerprint leads to. */
export interface FingerprintRow {
  readonly account_id: string;
  readonly key_id: string;
}

const shownCharacters = 8;
const keyBytes = 32;

/** SHA-256 of a credential with 256 bits of randomness: nothing slower is needed, since there is nothing to guess. */
export function toFingerprint(credential: string): string {
  return createHash("sha256").update(credential).digest("hex");
}

export function createApiKeys(context: ServiceContext): ApiKeyUseCases {
  const { store, directory, now, newId, randomBytes, scheduler } = context;

  return {
    async create(accountId, body) {
      const input = parseInput(apiKeyInputSchema, withoutEmpty(body));
      if (!isHostId(accountId) || (await store.get(keys.account(accountId))) === undefined) {
        throw new HookwrightError("resource_not_found", "No such account.");
      }
      const apiKey = `hwk_${Buffer.from(randomBytes(keyBytes)).toString("base64url")}`;
      const row: ApiKeyRow = {
        id: newId("key"),
        name: input.name,
        prefix: apiKey.slice(0, shownCharacters),
        integration: input.integration ?? false,
        created_at: now(),
        revoked_at: null,
      };
      const rowKey = keys.apiKey(accountId, row.id);
      const fingerprintKey = keys.keyFingerprint(toFingerprint(apiKey));
      // The row first: should the process die in between, a key is listed that nobody holds, and it can be revoked.
      await store.commit(rowKey[0], {
        mutations: [{ type: "set", key: rowKey, value: JSON.stringify(row) }],
      });
      await directory.claim("api-key", row.id, accountId);
      const found: FingerprintRow = { account_id: accountId, key_id: row.id };
      await store.commit(fingerprintKey[0], {
        mutations: [{ type: "set", key: fingerprintKey, value: JSON.stringify(found) }],
      });
      return { ...toApiKey(row, undefined), api_key: apiKey };
    },

    async list(accountId, page) {
      const found = await readIdPage(context, {
        accountId,
        list: "api-keys",
        page,
        prefix: keys.apiKeys(accountId),
        toRow: (text): ApiKeyRow => JSON.parse(text),
      });
      const uses = await store.getMany(found.rows.map(({ id }) => keys.apiKeyUse(accountId, id)));
      return { ...found, rows: found.rows.map((row, index) => toApiKey(row, uses[index])) };
    },

    async revoke(keyId, owner) {
      const accountId = await directory.find("api-key", keyId);
      if (accountId === undefined || (owner !== undefined && owner !== accountId)) throw noSuchKey();
      const key = keys.apiKey(accountId, keyId);
      const removed = await commitUntilDone(store, key[0], async () => {
        const stored = await store.get(key);
        if (stored === undefined) throw noSuchKey();
        const row: ApiKeyRow = JSON.parse(stored);
        if (row.revoked_at !== null) return { result: [] };
        const webhooks = (await listWebhookRows(store, accountId)).filter(
          ({ created_by }) => created_by.key_id === keyId,
        );
        const removal = await removeWebhooks(store, accountId, webhooks);
        return {
          commit: {
            checks: [{ key, value: stored }, ...removal.checks],
            mutations: [
              { type: "set", key, value: JSON.stringify({ ...row, revoked_at: now() } satisfies ApiKeyRow) },
              ...removal.mutations,
            ],
            wake: true,
          },
          result: removal.lanes,
        };
      });
      removed.forEach((lane) => scheduler.wake(lane));
      return { id: keyId, revoked: true };
    },
  };
}

function toApiKey(row: ApiKeyRow, lastUse: string | undefined): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    integration: row.integration,
    created_at: toTimestamp(row.created_at),
    last_used_at: lastUse === undefined ? null : toTimestamp(Number(lastUse)),
    revoked_at: row.revoked_at === null ? null : toTimestamp(row.revoked_at),
  };
}

function noSuchKey(): HookwrightError {
  return new HookwrightError("resource_not_found", "No such API key.");
}
