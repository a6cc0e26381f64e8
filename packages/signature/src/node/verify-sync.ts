import { timingSafeEqual } from "node:crypto";
import { checkHeaders } from "../check-headers.ts";
import { decodeBase64Body, explainRefusal } from "../explain-refusal.ts";
import { parseEvent } from "../parse-event.ts";
import { readServiceHeaders } from "../read-service-headers.ts";
import type { ServiceHeaders } from "../read-service-headers.ts";
import { SignatureError } from "../signature-error.ts";
import { toBytes } from "../to-bytes.ts";
import type { VerifyOptions } from "../verify-options.ts";
import type { NoOwnEvents, OwnEventData, WebhookEvent } from "../webhook-event.ts";
import { cachedHmacSha256 } from "./hmac-sha256.ts";
import { readNodeHeaders } from "./read-node-headers.ts";

/**
 * Returns the event of a delivery with a valid signature and timestamp: `verify` without a promise.
 *
 * @throws SignatureError with one of the codes of `SignatureErrorCode`
 * @example
 * const event = verifySync({ body: request.body, headers: request.headers, secrets });
 */
export function verifySync<Own extends OwnEventData = NoOwnEvents>(
  options: VerifyOptions,
): WebhookEvent<Own> {
  const { headers, headerPrefix } = options;
  const found =
    (headerPrefix === undefined ? readNodeHeaders(headers) : undefined) ?? readServiceHeaders(headers ?? {});
  try {
    const body = typeof options.body === "string" ? options.body : toBytes(options.body);
    if (headerPrefix === undefined && isValidUsualDelivery(options, body, found))
      return parseEvent<Own>(toText(body), found["x-service-event"], found["x-service-test"]);
    return verifyFully<Own>(options, body, found);
  } catch (error) {
    const decoded = decodeBase64Body(error, options.body);
    const isBase64 = decoded !== undefined && isAccepted(options, decoded, found);
    throw explainRefusal(error, { options, found, isBase64 });
  }
}

/**
 * Returns whether this is a valid delivery of the usual form: one secret, one signature, the usual prefix. This fast path saves
 * an eighth of the time. Other deliveries go through `verifyFully`, which names the problem.
 */
function isValidUsualDelivery(
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
  // The texts are compared too, because Latin-1 maps several characters to the same byte.
  return isSameSignature(signature, expected) && signature === `v1=${expected}`;
}

function verifyFully<Own extends OwnEventData>(
  options: VerifyOptions,
  body: string | Uint8Array,
  headers: ServiceHeaders,
): WebhookEvent<Own> {
  const { secrets, timestamp, signatures, event, test } = checkHeaders(options, headers);
  for (const secret of secrets) {
    const expected = cachedHmacSha256(secret)(`${timestamp}.`, body);
    if (signatures.some((signature) => isSameSignature(signature, expected)))
      return parseEvent<Own>(toText(body), event, test);
  }
  throw new SignatureError("signature_mismatch", "no signature matches: wrong secret or changed body");
}

function isAccepted(options: VerifyOptions, body: Uint8Array, found: ServiceHeaders): boolean {
  try {
    verifyFully(options, body, found);
    return true;
  } catch {
    return false;
  }
}

const signatureBytes = "v1=".length + 64;
const left = Buffer.alloc(signatureBytes);
const right = Buffer.from(`v1=${"0".repeat(64)}`);

/** `signature` has 67 characters and `expected` 64 hex digits, so each write fills its buffer. */
function isSameSignature(signature: string, expected: string): boolean {
  left.write(signature, "latin1");
  right.write(expected, "v1=".length, "latin1");
  return timingSafeEqual(left, right);
}

const decoder = new TextDecoder();

// TextDecoder drops a byte order mark, which JSON.parse rejects. A string may begin with one too. A lone
// surrogate in a string is signed as U+FFFD.
function toText(body: string | Uint8Array): string {
  if (typeof body !== "string") return decoder.decode(body);
  return (body.startsWith("\uFEFF") ? body.slice(1) : body).toWellFormed();
}
