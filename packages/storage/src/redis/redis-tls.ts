import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { ConnectionOptions } from "node:tls";
import { StorageError } from "../storage-error.ts";
import type { RedisAddress } from "./redis-url.ts";

/** What a connection over TLS shows and trusts, as texts in PEM. */
export interface RedisTls {
  /** The authorities that the server's certificate may be from. @default those that Node trusts */
  readonly ca?: string | undefined;
  /** The certificate that the server asks of its clients (`tls-auth-clients`), with those between it and its authority. */
  readonly cert?: string | undefined;
  /** The private key of {@link RedisTls.cert}. */
  readonly key?: string | undefined;
}

/**
 * The settings of a connection over TLS; undefined for one without. What is wrong with a certificate would else come out once somebody
 * connects, as a server that does not answer.
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
  if (isGiven && !address.tls)
    throw invalidTls("is for rediss://… and rediss-cluster://…, and this url is another");
  if ((cert === undefined) !== (key === undefined)) throw invalidTls("needs both, cert and key, or neither");
  try {
    // Of an authority that is none a context says nothing.
    if (ca !== undefined) void new X509Certificate(ca).subject;
    createSecureContext(settings);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidTls(`must hold texts in PEM that belong together; they do not (${reason})`, cause);
  }
  return address.tls ? settings : undefined;
}

export function invalidTls(problem: string, cause?: unknown): StorageError {
  return new StorageError("invalid_argument", `tls ${problem}.`, { cause });
}
