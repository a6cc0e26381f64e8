import type { Key } from "@hookwright/storage";
import { DeliveryError } from "@hookwright/delivery";
import { keys } from "../rows/keys.ts";
import type { SecretBox } from "./secret-box.ts";

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
