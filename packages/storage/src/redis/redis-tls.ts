import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { ConnectionOptions } from "node:tls";
import { StorageError } from "../storage-error.ts";
import type { RedisAddress } from "./redis-url.ts";

/** The TLS certificates of a connection, in PEM. */
export interface RedisTls {
  /** The accepted authorities of the server's certificate. @default the authorities that Node trusts */
  readonly ca?: string | undefined;
  /**
   * The client certificate and its intermediate certificates, if the server requires one
   * (`tls-auth-clients`).
   */
  readonly cert?: string | undefined;
  /** The private key of {@link RedisTls.cert}. */
  readonly key?: string | undefined;
}

/**
 * Returns the TLS settings of a connection, or `undefined` without TLS. Validates the certificates now,
 * because later they would look like an unreachable server.
 *
 * @throws {StorageError} `invalid_argument`
 */
export function readTls(
  address: RedisAddress,
  { ca, cert, key }: RedisTls = {},
): ConnectionOptions | undefined {
  const settings = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  const isGiven = Object.keys(settings).length > 0;
  if (isGiven && !address.tls) throw invalidTls("requires a rediss://… or rediss-cluster://… url");
  if ((cert === undefined) !== (key === undefined))
    throw invalidTls("must have both cert and key, or neither");
  try {
    // `createSecureContext` does not validate `ca`.
    if (ca !== undefined) void new X509Certificate(ca).subject;
    createSecureContext(settings);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidTls(`must contain valid PEM certificates and the matching key (${reason})`, cause);
  }
  return address.tls ? settings : undefined;
}

export function invalidTls(problem: string, cause?: unknown): StorageError {
  return new StorageError("invalid_argument", `tls ${problem}.`, { cause });
}
