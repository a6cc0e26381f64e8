import { hash } from "node:crypto";
import { HookwrightError } from "@hookwright/domain";
import type { KeyRight, Role, SessionPerson } from "@hookwright/domain";
import type { Key } from "@hookwright/storage";
import type { Caller } from "../use-cases.ts";
import { keys } from "./keys.ts";

/** The value of a fingerprint entry: the owner of an API key. */
export interface FingerprintRow {
  readonly account_id: string;
  readonly key_id: string;
}

/** Creates a credential: the prefix and 256 random bits. */
export function createCredential(prefix: string, randomBytes: (size: number) => Uint8Array): string {
  return `${prefix}${Buffer.from(randomBytes(32)).toString("base64url")}`;
}

/** SHA-256 of a credential. A slow hash is not needed, because a credential has 256 random bits. */
export function toFingerprint(credential: string): string {
  return hash("sha256", credential, "hex");
}

/** A stored API key. Only its fingerprint is stored, never the key. Times are milliseconds since the epoch. */
export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly integration: boolean;
  readonly created_at: number;
  readonly revoked_at: number | null;
  /** Needed to remove the fingerprint entry with the key. Rows of older versions have none. */
  readonly fingerprint?: string;
  /** Absent: all. */
  readonly rights?: readonly KeyRight[];
  /** The only site whose data it reaches. Absent: all sites. */
  readonly project_id?: string;
  /** Absent: never. */
  readonly expires_at?: number;
  /** The notice that it ends. Older versions do not write it. */
  readonly notice_id?: string;
}

/** The error for an unknown or revoked key. */
export function unknownKey(): HookwrightError {
  return new HookwrightError(
    "invalid_api_key",
    "The API key is unknown or revoked. Create another in the developer console.",
  );
}

export function expiredKey(): HookwrightError {
  return new HookwrightError(
    "invalid_api_key",
    "The API key has expired. Create another in the developer console.",
  );
}

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
  /** The id of its entry in the list of the account. Sessions of older versions have none. */
  readonly id?: string;
  /** The id of the person who signed in. Absent for the login of the account, and for links. */
  readonly person_id?: string;
  /** The person that the host named with the link. */
  readonly guest?: SessionPerson;
  /** The role of a link. @default "owner" */
  readonly role?: Role | undefined;
  /** Present for a login of the command line, which each use extends. */
  readonly machine?: string | undefined;
}

/** How long a login of the command line lasts from its last use. */
export const machineLoginMs = 90 * 24 * 60 * 60 * 1_000;

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

/** A text that no other row has had, so that a commit which read the one before is refused. */
export function createMark(randomBytes: (size: number) => Uint8Array): string {
  return Buffer.from(randomBytes(12)).toString("base64url");
}

/** Adds a new mark to a hash, so that no earlier session of the same password is valid. */
export function withNewPasswordMark(hashed: string, randomBytes: (size: number) => Uint8Array): string {
  return `${hashed}$${createMark(randomBytes)}`;
}

/**
 * What the sessions and links of an account depend on. It changes with the password, and when all sessions are ended. The sessions of a
 * person depend on the password of the person.
 *
 * @param ended the row `sessions-ended`
 * @param role that a link gives. Versions without roles do not know the mark of a lower one, so they refuse the link and its session.
 */
export function toSessionMark(
  passwordHash: string | undefined,
  ended: string | undefined,
  role: Role = "owner",
): string {
  const password = passwordHash === undefined ? "" : toPasswordMark(passwordHash);
  return `${password}/${ended ?? ""}${role === "owner" ? "" : `/${role}`}`;
}

/** Adds the mark to the new hash of the same password, so that its sessions stay valid. */
export function keepPasswordMark(rehashed: string, before: string): string {
  return `${rehashed}$${toPasswordMark(before)}`;
}

/** The rows that an authentication reads. While they do not change, the token stays valid until it expires. */
export function rowsOfCredential(
  token: string,
  { accountId, credential }: Pick<Caller, "accountId" | "credential">,
): readonly Key[] {
  if (credential.type === "key") return [keys.apiKey(accountId, credential.keyId), keys.account(accountId)];
  const { sessionId, personId } = credential;
  return [
    keys.consoleSession(toFingerprint(token)),
    keys.account(accountId),
    personId === undefined ? keys.accountPassword(accountId) : keys.person(accountId, personId),
    keys.sessionsEnded(accountId),
    ...(sessionId === undefined ? [] : [keys.sessionEntry(accountId, sessionId)]),
  ];
}
