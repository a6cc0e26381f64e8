import { toTimestampText } from "../sign-options.ts";
import { toStandardKey } from "../to-standard-secret.ts";
import { createHmacSha256 } from "./hmac-sha256.ts";

/** The content that Standard Webhooks signs. */
export interface StandardContent {
  /** The value of `webhook-id`: visible ASCII only. */
  readonly id: string;
  /** The exact body that is sent. A string stands for its UTF-8 bytes. */
  readonly body: string | Uint8Array;
  /** The value of `webhook-timestamp`: Unix seconds, a whole number. */
  readonly timestamp: number;
}

/** Returns the value of `webhook-signature` for one secret: `v1,` and the digest in base64. */
export type StandardSigner = (content: StandardContent) => string;

/**
 * Prepares a signer of Standard Webhooks signatures. The HMAC key is the UTF-8 of the whole secret, as for
 * `X-Service-Signature`, or the decoded bytes of a secret of Standard Webhooks. Receivers pass their library
 * {@link toStandardSecret} of it.
 *
 * @throws SignatureError `no_secret`; the signer throws `invalid_option` (the timestamp)
 * @example
 * const signer = createStandardSigner(secret);
 * headers["webhook-signature"] = signer({ id: headers["webhook-id"], body, timestamp });
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createStandardSigner(secret: string): StandardSigner {
  const hmac = createHmacSha256(toStandardKey(secret));
  return ({ id, body, timestamp }) => {
    const digest = hmac(`${id}.${toTimestampText(timestamp)}.`, body);
    return `v1,${Buffer.from(digest, "hex").toString("base64")}`;
  };
}
