import { checkHeaders } from "./check-headers.ts";
import { parseEvent } from "./parse-event.ts";
import { SignatureError } from "./signature-error.ts";
import { toBytes } from "./to-bytes.ts";
import type { VerifyOptions } from "./verify-options.ts";
import type { NoOwnEvents, OwnEventData, WebhookEvent } from "./webhook-event.ts";
import { hmacSha256, toSignedMessage } from "./web/hmac-sha256.ts";

export { SignatureError } from "./signature-error.ts";
export type { SignatureErrorCode, SignatureErrorStatus } from "./signature-error.ts";
export type { FetchHeaders, HeadersByName, HeadersInput, HeaderValue } from "./read-service-headers.ts";
export type { RawBody, VerifyOptions } from "./verify-options.ts";
export type { WebhookEvent } from "./webhook-event.ts";

/**
 * The lean `verify`: it has the same results and codes as the other entries, but shorter messages.
 *
 * The timestamp may differ from `now` by up to `toleranceSeconds`, in both directions. One of the `v1=`
 * values must match one of the secrets (specification, section 5). The event is read from the signed body.
 * `event.test` is read from a header that is not signed.
 *
 * @throws SignatureError with one of the codes of `SignatureErrorCode`
 * @example
 * const event = await verify({ body: await request.arrayBuffer(), headers: request.headers, secrets });
 */
export async function verify<Own extends OwnEventData = NoOwnEvents>(
  options: VerifyOptions,
): Promise<WebhookEvent<Own>> {
  const bytes = toBytes(options.body);
  const { secrets, timestamp, signatures, event, test } = checkHeaders(options);
  const message = toSignedMessage(timestamp, bytes);
  for (const secret of secrets) {
    const digest = await hmacSha256(secret, message);
    // Returning at the first match reveals its timing only to a sender with a valid signature.
    if (signatures.some((signature) => isSameDigest(digest, signature)))
      return parseEvent<Own>(new TextDecoder().decode(message.subarray(timestamp.length + 1)), event, test);
  }
  throw new SignatureError("signature_mismatch", "no signature matches: wrong secret or changed body");
}

// One HMAC for each secret and a constant-time comparison. `subtle.verify` would hash the body again for each
// `v1=` value.
function isSameDigest(digest: Uint8Array, signature: string): boolean {
  return !digest.reduce(
    (difference, byte, index) =>
      difference | (byte ^ parseInt(signature.slice(2 * index + 3, 2 * index + 5), 16)),
    0,
  );
}
