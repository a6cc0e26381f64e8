import { timingSafeEqual } from "node:crypto";
import { checkHeaders } from "../check-headers.ts";
import { mismatch } from "../mismatch.ts";
import { parseEvent } from "../parse-event.ts";
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
  const { secrets, timestamp, signatures, event } = checkHeaders(options, readNodeHeaders(options.headers));
  for (const secret of secrets) {
    const expected = `v1=${cachedHmacSha256(secret)(`${timestamp}.`, body)}`;
    if (signatures.some((signature) => isSameSignature(signature.trim(), expected)))
      return parseEvent(toText(body), event);
  }
  throw mismatch();
}

const signatureBytes = "v1=".length + 64;
const left = Buffer.alloc(signatureBytes);
const right = Buffer.alloc(signatureBytes);

// Both are known to be `v1=` and 64 ASCII digits, so each write fills its buffer.
function isSameSignature(signature: string, expected: string): boolean {
  left.write(signature, "latin1");
  right.write(expected, "latin1");
  return timingSafeEqual(left, right);
}

const decoder = new TextDecoder();

// TextDecoder drops a byte order mark, which JSON.parse does not take; a string may begin with one as well.
function toText(body: string | Uint8Array): string {
  if (typeof body !== "string") return decoder.decode(body);
  return body.startsWith("\uFEFF") ? body.slice(1) : body;
}
