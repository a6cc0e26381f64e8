import { DeliveryError, sampleSigningSecrets } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";
import { createSecretBox } from "../signing/secret-box.ts";
import type { SecretBox } from "../signing/secret-box.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";

/**
 * How a server secret relates to the data of a store:
 *
 * - `same`: the data was written with it.
 * - `other`: the data was written with another secret.
 * - `unused`: the store holds nothing that is encrypted.
 * - `unknown_format`: a later version has written the check value.
 */
export type ServerSecretMatch = "same" | "other" | "unused" | "unknown_format";

export interface ServerSecretOptions {
  readonly store: Store;
  readonly secret: string;
}

/** A known text, encrypted with the server secret: only the same secret decrypts it. */
interface ServerSecretCheckRow {
  readonly version: typeof version;
  readonly sealed: string;
}

const version = 1;
const knownText = "hookwright server secret check";
const context = "server-secret-check";
const key = keys.serverSecretCheck();

/**
 * Tells whether the data of a store was written with a server secret. Writes nothing.
 *
 * Stores of older versions have no check value. Then stored signing secrets are decrypted instead.
 */
export async function compareServerSecret({
  store,
  secret,
}: ServerSecretOptions): Promise<ServerSecretMatch> {
  const box = createSecretBox({ secret });
  const stored = await store.get(key);
  return stored === undefined ? compareSigningSecrets(store, box) : compareRow(stored, box);
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
  secret,
}: ServerSecretOptions): Promise<Exclude<ServerSecretMatch, "unused">> {
  const box = createSecretBox({ secret });
  return commitUntilDone(store, key[0], async () => {
    const stored = await store.get(key);
    if (stored !== undefined) return { result: compareRow(stored, box) };
    if ((await compareSigningSecrets(store, box)) === "other") return { result: "other" };
    const row: ServerSecretCheckRow = { version, sealed: box.seal(knownText, context) };
    return {
      commit: {
        checks: [{ key, value: undefined }],
        mutations: [{ type: "set", key, value: JSON.stringify(row) }],
      },
      result: "same",
    };
  });
}

/** Whether a store holds data that only the server secret it was written with can decrypt. */
export async function isBoundToServerSecret(store: Store): Promise<boolean> {
  return (await store.get(key)) !== undefined || (await sampleSigningSecrets(store)).length > 0;
}

function compareRow(stored: string, box: SecretBox): "same" | "other" | "unknown_format" {
  const row = parseRow(stored);
  if (row === undefined) return "unknown_format";
  return canOpen(box, row.sealed, context) ? "same" : "other";
}

function parseRow(stored: string): ServerSecretCheckRow | undefined {
  try {
    const row: Partial<Record<keyof ServerSecretCheckRow, unknown>> = JSON.parse(stored);
    return row.version === version && typeof row.sealed === "string"
      ? { version, sealed: row.sealed }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Older versions did not detect a wrong secret, so a store may have signing secrets of two. The secret that decrypts at least half of
 * the sample is the right one.
 */
async function compareSigningSecrets(store: Store, box: SecretBox): Promise<"same" | "other" | "unused"> {
  const sample = await sampleSigningSecrets(store);
  if (sample.length === 0) return "unused";
  const readable = sample.filter(({ webhook_id: webhookId, current }) => canOpen(box, current, webhookId));
  return readable.length * 2 >= sample.length ? "same" : "other";
}

function canOpen(box: SecretBox, sealed: string, sealedContext: string): boolean {
  try {
    box.open(sealed, sealedContext);
    return true;
  } catch (error) {
    if (error instanceof DeliveryError && error.code === "secret_unreadable") return false;
    throw error;
  }
}
