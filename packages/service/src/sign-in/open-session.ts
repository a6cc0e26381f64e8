import { toTimestamp } from "@hookwright/domain";
import type { Session } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import {
  consoleTokenPrefix,
  createCredential,
  keepExpiredMs,
  renderSession,
  toFingerprint,
} from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import type { ConsoleLinkOrigin } from "../use-cases.ts";

export interface SessionStart {
  readonly account: AccountRow;
  /** The `toSessionMark` of the account. */
  readonly mark: string;
  /** True if the session may change nothing. @default false */
  readonly readOnly?: boolean;
  /** The link that opens the session. @default no link */
  readonly link?: ConsoleLinkOrigin | undefined;
}

/** Stores a new session of the developer console. Only the fingerprint of its token is stored. */
export async function openSession(
  {
    store,
    now,
    randomBytes,
    consoleTokenSeconds,
  }: Pick<ServiceContext, "store" | "now" | "randomBytes" | "consoleTokenSeconds">,
  { account: row, mark, readOnly = false, link }: SessionStart,
): Promise<Session> {
  const token = createCredential(consoleTokenPrefix, randomBytes);
  const expiresAt = now() + consoleTokenSeconds * 1_000;
  const key = keys.consoleSession(toFingerprint(token));
  const value = renderSession({
    account_id: row.id,
    mark,
    expires_at: expiresAt,
    ...(readOnly ? { read_only: true } : {}),
    ...(link === undefined ? {} : { link: { created_by: link.createdBy } }),
  });
  await store.commit(key[0], {
    mutations: [{ type: "set", key, value, expiresAt: expiresAt + keepExpiredMs }],
  });
  const { status: _, limits: _limits, retention: _retention, ...account } = toAccount(row);
  return { token, expires_at: toTimestamp(expiresAt), account };
}
