import { checkHeaders } from "./check-headers.ts";
import { mismatch } from "./mismatch.ts";
import { parseEvent } from "./parse-event.ts";
import { toBytes } from "./to-bytes.ts";
import type { VerifyOptions } from "./verify-options.ts";
import type { WebhookEvent } from "./webhook-event.ts";
import { hmacSha256 } from "./web/hmac-sha256.ts";
import { toSignedMessage } from "./web/to-signed-message.ts";

export { SignatureError } from "./signature-error.ts";
export type { SignatureErrorCode } from "./signature-error.ts";
export type { FetchHeaders, HeadersByName, HeadersInput, HeaderValue } from "./read-service-headers.ts";
export type { RawBody, VerifyOptions } from "./verify-options.ts";
export type { WebhookEvent } from "./webhook-event.ts";

/**
 * Gives the event of a delivery whose signature and timestamp are right, with WebCrypto alone.
 *
 * The timestamp may be up to `toleranceSeconds` from `now`, both ways; one of the `v1=` values must
 * match under one of the secrets (specification, section 5). The event is read from the signed body.
 *
 * @throws SignatureError with one of the codes of `SignatureErrorCode`
 * @example
 * const event = await verify({ body: await request.arrayBuffer(), headers: request.headers, secrets });
 */
export async function verify(options: VerifyOptions): Promise<WebhookEvent> {
  const bytes = toBytes(options.body);
  const { secrets, timestamp, signatures, event } = checkHeaders(options);
  const message = toSignedMessage(timestamp, bytes);
  for (const secret of secrets) {
    const digest = await hmacSha256(secret, message);
    // Leaving at the first match tells its time only to somebody who already has a valid signature.
    if (signatures.some((signature) => isSameDigest(digest, signature.trim())))
      return parseEvent(new TextDecoder().decode(message.subarray(timestamp.length + 1)), event);
  }
  throw mismatch(secrets);
}

// One HMAC a secret and this comparison, instead of `subtle.verify`, which would hash the body again for
// each of the hundreds of values that fit into a header. Every byte is looked at, whatever differs.
function isSameDigest(digest: Uint8Array, signature: string): boolean {
  return !digest.reduce(
    (difference, byte, index) =>
      difference | (byte ^ parseInt(signature.slice(2 * index + 3, 2 * index + 5), 16)),
    0,
  );
}
