import { timingSafeEqual } from "node:crypto";
import { checkHeaders } from "../check-headers.ts";
import { mismatch } from "../mismatch.ts";
import { parseEvent } from "../parse-event.ts";
import type { ServiceHeaders } from "../read-service-headers.ts";
import { toBytes } from "../to-bytes.ts";
import type { VerifyOptions } from "../verify-options.ts";
import type { WebhookEvent } from "../webhook-event.ts";
import { cachedHmacSha256 } from "./cached-hmac-sha256.ts";
import { readNodeHeaders } from "./read-node-headers.ts";

/**
 * Gives the event of a delivery whose signature and timestamp are right: `verify` without a promise.
 *
 * @throws SignatureError with one of the codes of `SignatureErrorCode`
 * @example
 * const event = verifySync({ body: request.body, headers: request.headers, secrets });
 */
export function verifySync(options: VerifyOptions): WebhookEvent {
  const body = typeof options.body === "string" ? options.body : toBytes(options.body);
  const found = readNodeHeaders(options.headers);
  if (found !== undefined && isPlainAndRight(options, body, found))
    return parseEvent(toText(body), found["x-service-event"]);
  const { secrets, timestamp, signatures, event } = checkHeaders(options, found);
  for (const secret of secrets) {
    const expected = cachedHmacSha256(secret)(`${timestamp}.`, body);
    if (signatures.some((signature) => isSameSignature(signature.trim(), expected)))
      return parseEvent(toText(body), event);
  }
  throw mismatch(secrets);
}

/**
 * Whether this is what nearly every delivery is: one secret, one signature, everything right. It is worth an eighth of the
 * time, because nothing has to be taken apart. All that is unusual or wrong goes through the full check, which says
 * what it is; a forged delivery costs a second HMAC there.
 */
function isPlainAndRight(
  { secrets, toleranceSeconds = 300, now = Date.now() / 1000 }: VerifyOptions,
  body: string | Uint8Array,
  found: ServiceHeaders,
): boolean {
  const secret = typeof secrets === "string" || secrets?.length !== 1 ? secrets : secrets[0];
  const timestamp = found["x-service-timestamp"];
  const signature = found["x-service-signature"];
  if (typeof secret !== "string" || !secret || signature?.length !== signatureBytes) return false;
  if (timestamp === undefined || !/^\d+$/.test(timestamp)) return false;
  if (typeof now !== "number" || typeof toleranceSeconds !== "number") return false;
  const distanceSeconds = Math.abs(now - Number(timestamp));
  if (!(distanceSeconds <= toleranceSeconds) || distanceSeconds === Infinity) return false;
  const expected = cachedHmacSha256(secret)(`${timestamp}.`, body);
  // The text itself as well, once the bytes are the same: beyond Latin-1 several letters are one byte.
  return isSameSignature(signature, expected) && signature === `v1=${expected}`;
}

const signatureBytes = "v1=".length + 64;
const left = Buffer.alloc(signatureBytes);
const right = Buffer.from(`v1=${"0".repeat(64)}`);

/** `signature` has 67 letters, `expected` 64 hex digits, so each write fills its buffer. */
function isSameSignature(signature: string, expected: string): boolean {
  left.write(signature, "latin1");
  right.write(expected, "v1=".length, "latin1");
  return timingSafeEqual(left, right);
}

const decoder = new TextDecoder();

// TextDecoder drops a byte order mark, which JSON.parse does not take; a string may begin with one as well. A lone
// surrogate of a string is no part of what is signed: its bytes are those of U+FFFD.
function toText(body: string | Uint8Array): string {
  if (typeof body !== "string") return decoder.decode(body);
  return (body.startsWith("\uFEFF") ? body.slice(1) : body).toWellFormed();
}
