import { constants } from "node:crypto";
import tls, { createSecureContext } from "node:tls";
import type { SecureContext, SecureContextOptions } from "node:tls";

/**
 * One context for all connections: reading the authorities anew for each one costs more than the handshake.
 *
 * A connection shakes hands once: in TLS 1.2 a receiver could ask for it again and again, while a request waits or after.
 *
 * @throws when `options` holds what `node:tls` cannot read
 */
export function createTlsContext(options: SecureContextOptions): SecureContext {
  const secureOptions = (options.secureOptions ?? 0) | constants.SSL_OP_NO_RENEGOTIATION;
  return createSecureContext({ ciphers: withoutDhe(tls.DEFAULT_CIPHERS), ...options, secureOptions });
}

/**
 * What a receiver chooses must not cost us more than a handshake costs. With finite-field Diffie-Hellman (`DHE`, TLS 1.2) it is the
 * receiver who names the modulus: one of 10,000 bits stops this process for more than a second. Browsers offer it no longer.
 *
 * A process that was told to offer TLS 1.3 alone (`--tls-cipher-list`) offers none, and OpenSSL takes no list that only excludes.
 */
function withoutDhe(ciphers: string): string {
  const isNewestAlone = ciphers.split(":").every((suite) => suite === "" || suite.startsWith("TLS_"));
  return isNewestAlone ? ciphers : `${ciphers}:!kDHE`;
}
