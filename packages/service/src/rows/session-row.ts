import { hash } from "node:crypto";

/** A console session as it is stored, under the fingerprint of its token. Times are milliseconds. */
export interface SessionRow {
  readonly account_id: string;
  /** Of the password that opened it: a new password ends it. */
  readonly password_mark: string;
  readonly expires_at: number;
}

export const consoleTokenPrefix = "hwc_";

/** How long a session is kept after its end, so that `console_token_expired` can be told from a token nobody knows. A script that signs in every minute leaves a row each time. */
export const keepExpiredMs = 7 * 24 * 60 * 60 * 1_000;

export function renderSession(row: SessionRow): string {
  return JSON.stringify(row);
}

/**
 * Identifies a password without being of any use against it: it is made of a salted hash. A password that was only hashed again keeps
 * its mark, which is then stored behind the hash.
 */
export function toPasswordMark(passwordHash: string): string {
  return passwordHash.split("$")[6] ?? hash("sha256", passwordHash, "hex").slice(0, 16);
}

/** The new hash of the same password. Its sessions go on. */
export function keepPasswordMark(rehashed: string, before: string): string {
  return `${rehashed}$${toPasswordMark(before)}`;
}
