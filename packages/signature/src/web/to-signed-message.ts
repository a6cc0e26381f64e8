import { toBytes } from "../to-bytes.ts";

/**
 * Returns the bytes `{timestamp}.{body}`. They are a copy, because the caller may reuse its buffer while
 * WebCrypto works.
 */
export function toSignedMessage(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = toBytes(`${timestamp}.`);
  const message = new Uint8Array(prefix.length + body.length);
  message.set(prefix);
  message.set(body, prefix.length);
  return message;
}
