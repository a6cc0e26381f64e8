import { readWebhookGuard, removeWebhooks } from "@hookwright/delivery";
import {
  apiKeyInputSchema,
  HookwrightError,
  findProblems,
  isHookwrightError,
  keyRights,
  maximumApiKeys,
  parseTimestamp,
  timestampSchema,
  toTimestamp,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { ApiKey, ApiKeyInput } from "@hookwright/domain";
import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { commitAudited } from "../audit/commit-audited.ts";
import { toChange } from "../audit/field-changes.ts";
import type { ServiceContext } from "../context.ts";
import { findProjectProblems, problemsOf, sentField } from "../lookups/find-project.ts";
import { listNewestWebhooks } from "../lookups/find-webhooks.ts";
import { readAccount } from "../lookups/read-account.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { createCredential, toFingerprint } from "../rows/credential-rows.ts";
import type { ApiKeyRow, FingerprintRow } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { toKeyNotice } from "../rows/notice-row.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { readIdPage } from "../store/id-page.ts";
import type { ApiKeyUseCases } from "../use-cases.ts";

const shownCharacters = 8;
/** Of a key that expires. */
const maximumLifeMs = 10 * 366 * 24 * 60 * 60 * 1_000;

export function createApiKeys(context: ServiceContext): ApiKeyUseCases {
  const { store, directory, now, newId, randomBytes, worker, onError } = context;

  async function releaseEntry(accountId: string, keyId: string): Promise<void> {
    await directory
      .release("api-key", keyId)
      .catch((error: unknown) =>
        onError(error, { account_id: accountId, key_id: keyId, code: "api_key_entry_not_removed" }),
      );
  }

  return {
    async create(accountId, body, origin) {
      const { input, account } = await expectInput(store, accountId, { body, now: now() });
      const expiresAt = input.expires_at === undefined ? undefined : parseTimestamp(input.expires_at);
      const rights = keyRights.filter((right) => input.rights?.includes(right) ?? true);
      const maximum = parseAccountRow(account).limits?.api_keys ?? maximumApiKeys;
      const apiKey = createCredential("hwk_", randomBytes);
      const fingerprint = toFingerprint(apiKey);
      const id = newId("key");
      const notice =
        expiresAt === undefined
          ? undefined
          : toKeyNotice(context, accountId, { id, name: input.name, expiresAt });
      const row: ApiKeyRow = {
        id,
        name: input.name,
        prefix: apiKey.slice(0, shownCharacters),
        integration: input.integration ?? false,
        created_at: now(),
        revoked_at: null,
        fingerprint,
        ...(rights.length < keyRights.length && { rights }),
        ...(input.project_id !== undefined && { project_id: input.project_id }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
        ...(notice !== undefined && { notice_id: notice.noticeId }),
      };
      // Checked before the writes to other partitions, so that refused requests leave no rows there.
      expectBelowLimit(await readApiKeyCount(store, accountId), maximum);
      const rowKey = keys.apiKey(accountId, row.id);
      const fingerprintKey = keys.keyFingerprint(fingerprint);
      // If the process dies after the row is written, the key is listed but nobody has it. The claim makes it possible to revoke it.
      await directory.claim("api-key", row.id, accountId);
      await commitAudited(context, rowKey[0], origin, async () => {
        const counted = await readApiKeyCount(store, accountId);
        expectBelowLimit(counted, maximum);
        return {
          commit: {
            checks: [counted.check],
            mutations: [
              { type: "set", key: rowKey, value: JSON.stringify(row) },
              counted.set(counted.count + 1),
              ...(notice === undefined ? [] : [notice.mutation]),
            ],
            notify: notice?.isDue === true ? [keys.notices(accountId)] : [],
          },
          result: undefined,
          audited: {
            action: "api_key.created",
            accountId,
            target: { kind: "api_key", id: row.id },
            changed: [
              toChange("rights", undefined, rights),
              ...(input.project_id === undefined
                ? []
                : [toChange("project_id", undefined, input.project_id)]),
              ...(input.expires_at === undefined
                ? []
                : [toChange("expires_at", undefined, input.expires_at)]),
            ],
          },
        };
      }).catch(async (error: unknown) => {
        // After an error of the store the outcome is unknown, so the entry stays and the key can be revoked.
        if (isHookwrightError(error)) await releaseEntry(accountId, row.id);
        throw error;
      });
      const found: FingerprintRow = { account_id: accountId, key_id: row.id };
      await store.commit(fingerprintKey[0], {
        mutations: [{ type: "set", key: fingerprintKey, value: JSON.stringify(found) }],
      });
      return { ...toApiKey(row, { lastUse: undefined, webhooks: 0 }), api_key: apiKey };
    },

    async list(accountId, page) {
      const found = await readIdPage(context, {
        accountId,
        list: "api-keys",
        page,
        prefix: keys.apiKeys(accountId),
        toRow: (text): ApiKeyRow => JSON.parse(text),
      });
      const [uses, webhooks] = await Promise.all([
        store.getMany(found.rows.map(({ id }) => keys.apiKeyUse(accountId, id))),
        listNewestWebhooks(store, accountId),
      ]);
      const ofKeys = Map.groupBy(webhooks, ({ created_by: creator }) => creator.key_id);
      const rows = found.rows.map((row, index) =>
        toApiKey(row, { lastUse: uses[index], webhooks: ofKeys.get(row.id)?.length ?? 0 }),
      );
      return { ...found, rows };
    },

    async revoke(keyId, owner, origin) {
      const accountId = await directory.find("api-key", keyId);
      if (accountId === undefined || (owner !== undefined && owner !== accountId)) throw noSuchKey();
      const key = keys.apiKey(accountId, keyId);
      const removed = await commitAudited(context, key[0], origin, async () => {
        const stored = await store.get(key);
        if (stored === undefined) throw noSuchKey();
        const row: ApiKeyRow = JSON.parse(stored);
        if (row.revoked_at !== null) return { result: [] };
        const counted = await readApiKeyCount(store, accountId);
        const guard = await readWebhookGuard(store, accountId);
        const webhooks = await listNewestWebhooks(store, accountId);
        const own = webhooks.filter(({ created_by: creator }) => creator.key_id === keyId);
        const removal = await removeWebhooks(store, guard, own, { reason: "key_revoked", now: now() });
        return {
          commit: {
            checks: [{ key, value: stored }, counted.check, ...removal.checks],
            mutations: [
              { type: "set", key, value: JSON.stringify({ ...row, revoked_at: now() } satisfies ApiKeyRow) },
              counted.set(counted.count - 1),
              ...(row.notice_id === undefined ? [] : [toDelete(keys.notice(accountId, row.notice_id))]),
              ...removal.mutations,
            ],
            notify: [key, ...removal.notify],
          },
          result: removal.endpoints,
          audited: { action: "api_key.revoked", accountId, target: { kind: "api_key", id: keyId } },
        };
      });
      removed.forEach((endpoint) => worker.webhookChanged(endpoint));
      // The key is revoked, whatever becomes of the oldest ones.
      await removeRevokedKeys(store, accountId).catch((error: unknown) =>
        onError(error, { account_id: accountId, code: "revoked_keys_not_removed" }),
      );
      return { id: keyId, revoked: true };
    },
  };
}

interface KeyUse {
  readonly lastUse: string | undefined;
  readonly webhooks: number;
}

function toApiKey(row: ApiKeyRow, { lastUse, webhooks }: KeyUse): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    integration: row.integration,
    rights: [...(row.rights ?? keyRights)],
    project_id: row.project_id ?? null,
    expires_at: toTimestampOrNull(row.expires_at ?? null),
    created_at: toTimestamp(row.created_at),
    last_used_at: toTimestampOrNull(lastUse === undefined ? null : Number(lastUse)),
    webhooks_count: webhooks,
    revoked_at: toTimestampOrNull(row.revoked_at),
  };
}

/** @throws HookwrightError `validation_failed` with all problems of the body, `resource_not_found` */
async function expectInput(
  store: Store,
  accountId: string,
  { body, now }: { readonly body: unknown; readonly now: number },
): Promise<{ readonly input: ApiKeyInput; readonly account: string }> {
  const sent = withoutEmpty(body);
  const parsed = findProblems(apiKeyInputSchema, sent);
  const problems = [...problemsOf(parsed), ...findExpiryProblems(sentField(sent, "expires_at"), now)];
  const account = problems.length === 0 ? await readAccount(store, accountId) : undefined;
  problems.push(...(await findProjectProblems(store, accountId, sentField(sent, "project_id"))));
  if (parsed.ok && account !== undefined && problems.length === 0) return { input: parsed.data, account };
  throw validationFailed(problems);
}

/** @param sent a text in another form is a problem of the schema */
function findExpiryProblems(sent: unknown, now: number): readonly string[] {
  const parsed = findProblems(timestampSchema, sent);
  if (!parsed.ok) return [];
  const expiresAt = parseTimestamp(parsed.data);
  if (expiresAt <= now) return ["expires_at: must be in the future"];
  return expiresAt <= now + maximumLifeMs
    ? []
    : ["expires_at: must be at most ten years from now. Leave it out for a key without end"];
}

function expectBelowLimit({ count }: ApiKeyCount, maximum: number): void {
  if (count < maximum) return;
  throw new HookwrightError(
    "invalid_state",
    `The account already has ${count} API keys. Revoke one that is not needed first.`,
  );
}

function noSuchKey(): HookwrightError {
  return new HookwrightError("resource_not_found", "No such API key.");
}

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
