import { DeliveryError, sampleSigningSecrets } from "@hookwright/delivery";
import type { Key, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { createSecretBox, keyIdOf } from "./secret-box.ts";
import type { SecretBox, ServerSecrets } from "./secret-box.ts";

/**
 * How server secrets relate to the data of a store:
 *
 * - `same`: the data was written with one of them, and no other is needed.
 * - `other`: the data was written with another secret.
 * - `rotating`: the data is being moved from one secret to another, and only one of the two was given.
 * - `unused`: the store holds nothing that is encrypted.
 * - `unknown_format`: a later version has written the check value.
 */
export type ServerSecretMatch = "same" | "other" | "rotating" | "unused" | "unknown_format";

export interface ServerSecretOptions extends ServerSecrets {
  readonly store: Store;
}

/**
 * Tells whether the data of a store was written with a server secret. Writes nothing.
 *
 * Without a check value, stored signing secrets are decrypted instead.
 */
export async function compareServerSecret({
  store,
  ...secrets
}: ServerSecretOptions): Promise<ServerSecretMatch> {
  const box = createSecretBox(secrets);
  const stored = await store.get(checkRowKey);
  return stored === undefined ? (await compareSigningSecrets(store, box)).match : compareRow(stored, box);
}

/**
 * Tells whether a store may be used with a server secret, and writes the check value if there is none. If two processes start with
 * different secrets on an empty store, only one of them can write it.
 *
 * Costs one read if the check value exists.
 *
 * @returns what {@link compareServerSecret} does, but never `unused`
 */
export function bindServerSecret({
  store,
  ...secrets
}: ServerSecretOptions): Promise<Exclude<ServerSecretMatch, "unused">> {
  const box = createSecretBox(secrets);
  return commitUntilDone(store, checkRowKey[0], async () => {
    const stored = await store.get(checkRowKey);
    if (stored !== undefined) return { result: compareRow(stored, box) };
    const { match, keyId } = await compareSigningSecrets(store, box);
    if (match === "other") return { result: match };
    return {
      commit: {
        checks: [{ key: checkRowKey, value: undefined }],
        mutations: [{ type: "set", key: checkRowKey, value: renderCheckRow(box, keyId) }],
      },
      result: "same",
    };
  });
}

/** Whether a store holds data that only the server secret it was written with can decrypt. */
export async function isBoundToServerSecret(store: Store): Promise<boolean> {
  return (await store.get(checkRowKey)) !== undefined || (await sampleSigningSecrets(store)).length > 0;
}

function compareRow(stored: string, box: SecretBox): "same" | "other" | "rotating" | "unknown_format" {
  const row = parseCheckRow(stored);
  if (row === undefined) return "unknown_format";
  const { previous = [] } = row;
  const isKnown = opensCheckRow(box, row);
  if (isKnown && previous.every(box.knows)) return "same";
  return isKnown || previous.some(box.knows) ? "rotating" : "other";
}

interface SampleMatch {
  readonly match: "same" | "other" | "unused";
  /** Of the secret that the sample was written with. */
  readonly keyId: string;
}

/**
 * Data without a check value may have signing secrets of two server secrets. The known secrets are right if they decrypt at least half of
 * the sample.
 */
async function compareSigningSecrets(store: Store, box: SecretBox): Promise<SampleMatch> {
  const sample = await sampleSigningSecrets(store);
  if (sample.length === 0) return { match: "unused", keyId: box.keyId };
  const readable = sample.filter(({ webhook_id: webhookId, current }) => canOpen(box, current, webhookId));
  const keyIds = readable.map(({ current }) => keyIdOf(current));
  const isRight = readable.length * 2 >= sample.length;
  return { match: isRight ? "same" : "other", keyId: keyIds.find((id) => id !== box.keyId) ?? box.keyId };
}

/**
 * Names the server secret that new values of a store are encrypted with:
 *
 * ```text
 * { sealed: old }  --begin-->  { sealed: new, previous: [old] }  --end-->  { sealed: new }
 * ```
 */
export interface ServerSecretCheckRow {
  readonly version: typeof version;
  /** A known text, encrypted with the secret: only the same secret decrypts it. */
  readonly sealed: string;
  /** Key ids of secrets that values may still be encrypted with, during a rotation. Absent: none. */
  readonly previous?: readonly string[];
}

const version = 1;
const knownText = "hookwright server secret check";
const context = "server-secret-check";

export const checkRowKey: Key = keys.serverSecretCheck();

/** @param keyId of a secret that the box knows */
export function renderCheckRow(box: SecretBox, keyId: string, previous: readonly string[] = []): string {
  const row: ServerSecretCheckRow = {
    version,
    sealed: box.seal(knownText, context, keyId),
    ...(previous.length > 0 && { previous }),
  };
  return JSON.stringify(row);
}

/** Undefined if a later version wrote the row, or if it is damaged. */
export function parseCheckRow(stored: string): ServerSecretCheckRow | undefined {
  try {
    const row: Partial<Record<keyof ServerSecretCheckRow, unknown>> = JSON.parse(stored);
    const { sealed, previous = [] } = row;
    if (row.version !== version || typeof sealed !== "string") return undefined;
    if (!Array.isArray(previous) || !previous.every((each) => typeof each === "string")) return undefined;
    return { version, sealed, previous };
  } catch {
    return undefined;
  }
}

/** Whether the box has the secret of the row. */
export function opensCheckRow(box: SecretBox, { sealed }: ServerSecretCheckRow): boolean {
  return canOpen(box, sealed, context);
}

export function canOpen(box: SecretBox, sealed: string, sealedContext: string): boolean {
  try {
    box.open(sealed, sealedContext);
    return true;
  } catch (error) {
    if (error instanceof DeliveryError && error.code === "secret_unreadable") return false;
    throw error;
  }
}
