import { hash } from "node:crypto";

/** A stored console session. Its key is the fingerprint of its token. Times are milliseconds since the epoch. */
export interface SessionRow {
  readonly account_id: string;
  /** The {@link toSessionMark} of the account when the session began. It ends when the mark changes. */
  readonly mark: string;
  readonly expires_at: number;
  /** Present if the session may change nothing. */
  readonly read_only?: true;
  /** Present if a link opened the session: the name of the host token that created the link. */
  readonly link?: { readonly created_by: string | null };
}

export const consoleTokenPrefix = "hwc_";

/** Expired sessions are kept for this time, so that they answer `console_token_expired` instead of an unknown token. */
export const keepExpiredMs = 7 * 24 * 60 * 60 * 1_000;

export function renderSession(row: SessionRow): string {
  return JSON.stringify(row);
}

/** Identifies a password. It is derived from the salted hash. A rehashed password keeps its mark, which is stored after the hash. */
export function toPasswordMark(passwordHash: string): string {
  return passwordHash.split("$")[6] ?? hash("sha256", passwordHash, "hex").slice(0, 16);
}

/**
 * What the sessions and links of an account depend on. It changes with the password, and when all sessions are ended.
 *
 * @param ended the row `sessions-ended`
 */
export function toSessionMark(passwordHash: string | undefined, ended: string | undefined): string {
  return `${passwordHash === undefined ? "" : toPasswordMark(passwordHash)}/${ended ?? ""}`;
}

/** Adds the mark to the new hash of the same password, so that its sessions stay valid. */
export function keepPasswordMark(rehashed: string, before: string): string {
  return `${rehashed}$${toPasswordMark(before)}`;
}
