import { constants } from "node:crypto";
import { createSecureContext, DEFAULT_CIPHERS } from "node:tls";
import type { SecureContext, SecureContextOptions } from "node:tls";

/**
 * What a receiver chooses must not cost us more than a handshake costs. With finite-field Diffie-Hellman (`DHE`, TLS 1.2) it is the
 * receiver who names the modulus: one of 10,000 bits stops this process for more than a second. Browsers offer it no longer.
 */
const ciphers = `${DEFAULT_CIPHERS}:!kDHE`;

/**
 * One context for all connections: reading the authorities anew for each one costs more than the handshake.
 *
 * A connection shakes hands once: in TLS 1.2 a receiver could ask for it again and again, while a request waits or after.
 *
 * @throws when `tls` holds what `node:tls` cannot read
 */
export function createTlsContext(tls: SecureContextOptions): SecureContext {
  const secureOptions = (tls.secureOptions ?? 0) | constants.SSL_OP_NO_RENEGOTIATION;
  return createSecureContext({ ciphers, ...tls, secureOptions });
}
