import { constants } from "node:crypto";
import tls, { createSecureContext } from "node:tls";
import type { SecureContext, SecureContextOptions } from "node:tls";
import { createAccountShares } from "./account-shares.ts";

/**
 * One context for all connections, because reading the authorities takes longer than a handshake.
 *
 * TLS 1.2 renegotiation is off: a receiver could demand one handshake after the other.
 *
 * @throws when `node:tls` cannot read the options
 */
export function createTlsContext(options: SecureContextOptions): SecureContext {
  const secureOptions = (options.secureOptions ?? 0) | constants.SSL_OP_NO_RENEGOTIATION;
  return createSecureContext({ ciphers: withoutDhe(tls.DEFAULT_CIPHERS), ...options, secureOptions });
}

/**
 * In finite-field Diffie-Hellman (`DHE`, TLS 1.2) the receiver chooses the modulus. One of 10,000 bits blocks this process for
 * more than a second. With TLS 1.3 alone there is no DHE, and OpenSSL refuses a list that only excludes.
 */
function withoutDhe(ciphers: string): string {
  const isTls13Only = ciphers.split(":").every((suite) => suite === "" || suite.startsWith("TLS_"));
  return isTls13Only ? ciphers : `${ciphers}:!kDHE`;
}

/** A ticket and a certificate are one to five kilobytes. A hostile receiver may send far more. */
const maximumSessionBytes = 8_192;
/** Of all accounts. */
const maximumTotalBytes = 16 * 1_024 * 1_024;

interface AccountSessions {
  readonly accountId: string;
  /** The origin that got a session longest ago comes first. */
  readonly byOrigin: Map<string, Buffer>;
}

/**
 * TLS sessions, which make the next handshake shorter, by account and origin, because accounts share no connection.
 * Node does not check the host name of a resumed session, so only a verified connection may add one.
 */
export function createTlsSessions() {
  const accounts = new Map<string, AccountSessions>();
  const shares = createAccountShares<AccountSessions>();
  let totalBytes = 0;

  function add(accountId: string, origin: string, session: Buffer): void {
    const account = accounts.get(accountId) ?? { accountId, byOrigin: new Map<string, Buffer>() };
    accounts.set(accountId, account);
    const { byOrigin } = account;
    byOrigin.set(origin, session);
    totalBytes += session.length;
    shares.change(account, { before: byOrigin.size - 1, now: byOrigin.size });
  }

  function remove(accountId: string, origin: string): void {
    const account = accounts.get(accountId);
    const session = account?.byOrigin.get(origin);
    if (account === undefined || session === undefined) return;
    const { byOrigin } = account;
    byOrigin.delete(origin);
    totalBytes -= session.length;
    shares.change(account, { before: byOrigin.size + 1, now: byOrigin.size });
    if (byOrigin.size === 0) accounts.delete(accountId);
  }

  function evict(): void {
    const account = shares.largest();
    const [oldest] = account?.byOrigin.keys() ?? [];
    if (account !== undefined && oldest !== undefined) remove(account.accountId, oldest);
  }

  return {
    get: (accountId: string, origin: string): Buffer | undefined =>
      accounts.get(accountId)?.byOrigin.get(origin),
    set(accountId: string, origin: string, session: Buffer): void {
      if (session.length > maximumSessionBytes) return;
      remove(accountId, origin);
      add(accountId, origin, session);
      while (totalBytes > maximumTotalBytes) evict();
    },
    /** After each connection without a response: the receiver may be unable to resume. */
    delete: remove,
  };
}
