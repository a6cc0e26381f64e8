import type { AccountRowEntry } from "hookwright";
import type { Key, KeyPart } from "@hookwright/storage";
import { ServerError } from "../server-error.ts";

/**
 * The format of an exported account: lines of JSON (NDJSON). The first line is a header, then there is one line per row.
 * The last line has the number of rows and the SHA-256 of all lines before it. Without it the file is incomplete.
 *
 * Rows are stored as in the storage: signing secrets are encrypted with the server secret, and API keys are hashes.
 */
const format = 1;

export interface AccountFileHeader {
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly exportedAt: number;
  /** Identifies the server secret that encrypted the secrets in the file. Null if none was known. */
  readonly secretCheck: string | null;
}

export interface AccountFileEnd {
  readonly rows: number;
  readonly sha256: string;
}

export type AccountFileLine =
  | { readonly type: "row"; readonly row: AccountRowEntry }
  | { readonly type: "end"; readonly end: AccountFileEnd };

export function renderHeader({ accountId, exportedAt, secretCheck }: AccountFileHeader): string {
  return `${JSON.stringify({
    hookwright: "account",
    format,
    account_id: accountId,
    exported_at: new Date(exportedAt).toISOString(),
    secret_check: secretCheck,
  })}\n`;
}

export function renderRow({ key, value, lifetimeMs }: AccountRowEntry): string {
  return `${JSON.stringify(lifetimeMs === undefined ? { key, value } : { key, value, lifetime_ms: lifetimeMs })}\n`;
}

export function renderEnd({ rows, sha256 }: AccountFileEnd): string {
  return `${JSON.stringify({ end: true, rows, sha256 })}\n`;
}

/** @throws {ServerError} `transfer_refused` */
export function parseHeader(line: string): AccountFileHeader {
  const header = parseObject(line);
  const { account_id: accountId, exported_at: exportedAt, secret_check: secretCheck } = header ?? {};
  if (header?.["hookwright"] !== "account" || typeof accountId !== "string" || typeof exportedAt !== "string")
    throw refuseLine(1, "is not the first line of a file from `hookwright export`");
  if (header["format"] !== format) {
    throw refuseLine(
      1,
      `has the format ${JSON.stringify(header["format"])}, but this version reads ${format}. Import it with the version that exported it, or a later one`,
    );
  }
  return {
    accountId,
    exportedAt: Date.parse(exportedAt),
    secretCheck: typeof secretCheck === "string" ? secretCheck : null,
  };
}

/**
 * @param number counts from 1
 * @throws {ServerError} `transfer_refused` naming the line
 */
export function parseLine(line: string, number: number): AccountFileLine {
  const object = parseObject(line);
  if (object === undefined)
    throw refuseLine(number, "is not a JSON object, so the file is incomplete or was changed");
  const { key, value, lifetime_ms: lifetimeMs, end, rows, sha256 } = object;
  if (end === true && typeof rows === "number" && typeof sha256 === "string")
    return { type: "end", end: { rows, sha256 } };
  if (!isKey(key) || typeof value !== "string")
    throw refuseLine(number, "is not a row: it needs a key and a value");
  if (lifetimeMs !== undefined && (typeof lifetimeMs !== "number" || !(lifetimeMs > 0)))
    throw refuseLine(number, "has a lifetime_ms that is not a number of milliseconds");
  return { type: "row", row: { key, value, lifetimeMs } };
}

export function refuseLine(number: number, why: string): ServerError {
  return new ServerError("transfer_refused", `line ${number} ${why}. Nothing was imported.`);
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isKey(value: unknown): value is Key {
  return Array.isArray(value) && typeof value[0] === "string" && value.every(isKeyPart);
}

function isKeyPart(part: unknown): part is KeyPart {
  return typeof part === "string" || Number.isSafeInteger(part);
}
