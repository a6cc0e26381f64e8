import { encodeKey } from "../keys/key-codec.ts";
import type { Key, KeyPart } from "../port.ts";

/** The new state of a key: its text and expiry (ms since the epoch), or nothing. */
export interface RowChange {
  readonly key: string;
  readonly text: string | undefined;
  readonly expiresAt: number | undefined;
}

/**
 * Returns a row as JSON: `[key]` for a removal, `[key, text]`, or `[key, text, expiresAt]`.
 *
 * @param keyJson the key as JSON, an array of its parts
 */
export function toRowText(keyJson: string, text: string | undefined, expiresAt: number | undefined): string {
  if (text === undefined) return `[${keyJson}]`;
  return expiresAt === undefined
    ? `[${keyJson},${JSON.stringify(text)}]`
    : `[${keyJson},${JSON.stringify(text)},${expiresAt}]`;
}

/** Parses a row and encodes its key. Returns `undefined` if it is invalid. */
export function parseRow(row: unknown): RowChange | undefined {
  if (!Array.isArray(row)) return undefined;
  const [key, text, expiresAt]: unknown[] = row;
  if (!isKey(key)) return undefined;
  if (text !== undefined && typeof text !== "string") return undefined;
  if (expiresAt !== undefined && typeof expiresAt !== "number") return undefined;
  return { key: encodeKey(key), text, expiresAt };
}

function isKey(value: unknown): value is Key {
  return Array.isArray(value) && typeof value[0] === "string" && value.every(isKeyPart);
}

function isKeyPart(part: unknown): part is KeyPart {
  return typeof part === "string" || typeof part === "number";
}
