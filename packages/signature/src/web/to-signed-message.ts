import { toBytes } from "../to-bytes.ts";

/**
 * The bytes `{timestamp}.{body}`. A copy on purpose: what is parsed later is what was verified, even
 * when the caller reuses its buffer while WebCrypto is at work.
 */
export function toSignedMessage(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = toBytes(`${timestamp}.`);
  const message = new Uint8Array(prefix.length + body.length);
  message.set(prefix);
  message.set(body, prefix.length);
  return message;
}
