import { constants } from "node:crypto";
import tls, { createSecureContext } from "node:tls";
import type { SecureContext, SecureContextOptions } from "node:tls";

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

/** A ticket and a certificate are two or three kilobytes. A hostile receiver may send far more. */
const maximumSessionBytes = 16_384;
const maximumSessions = 1_000;

/**
 * TLS sessions, which make the next handshake shorter, by account and origin, because accounts share no connection.
 * Node does not check the host name of a resumed session, so only a verified connection may add one.
 */
export function createTlsSessions() {
  const byPool = new Map<string, Buffer>();
  return {
    get: (pool: string): Buffer | undefined => byPool.get(pool),
    set(pool: string, session: Buffer): void {
      if (session.length > maximumSessionBytes) return;
      byPool.delete(pool);
      for (const oldest of byPool.keys()) {
        if (byPool.size < maximumSessions) break;
        byPool.delete(oldest);
      }
      byPool.set(pool, session);
    },
    /** After each connection without a response: the receiver may be unable to resume. */
    delete: (pool: string): boolean => byPool.delete(pool),
  };
}
