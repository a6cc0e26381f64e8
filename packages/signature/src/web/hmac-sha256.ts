import { toBytes } from "../to-bytes.ts";

// Importing a key costs more than signing 1 KiB. The limit is for receivers with one secret for each tenant.
// At the limit the cache is cleared.
const keys = new Map<string, CryptoKey>();

/** HMAC-SHA256 of `{timestamp}.{body}`, keyed with the whole secret as UTF-8. */
export async function hmacSha256(secret: string, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  let key = keys.get(secret);
  if (!key) {
    const bytes = toBytes(secret);
    key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    if (keys.size >= 500) keys.clear();
    keys.set(secret, key);
  }
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

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
