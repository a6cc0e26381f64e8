import { createHmac, createSecretKey, hash } from "node:crypto";

/** HMAC-SHA256 of `prefix` (ASCII) and `body`, as 64 lower-case hex digits. */
export type HmacSha256 = (prefix: string, body: string | Uint8Array) => string;

const blockBytes = 64;
const digestBytes = 32;

// Shared by all keys, because the work is synchronous. 16 KiB fits nearly every delivery. Longer bodies do
// not profit from it.
const inner = Buffer.alloc(16 * 1024);
const outer = Buffer.alloc(blockBytes + digestBytes);

/**
 * Prepares HMAC-SHA256 (RFC 2104) for one key: `secret`, or its UTF-8 bytes.
 *
 * Bodies that fit the buffer are hashed by two calls of `crypto.hash`, because creating a `createHmac` object costs more than
 * hashing 1 KiB.
 */
export function createHmacSha256(secret: string | Uint8Array): HmacSha256 {
  const bytes = Buffer.from(secret);
  const key = createSecretKey(bytes);
  const { innerPad, outerPad } = createPads(bytes);
  return (prefix, body) => {
    if (!fits(body, inner.length - blockBytes - prefix.length))
      return createHmac("sha256", key).update(prefix).update(body).digest("hex");
    inner.set(innerPad);
    let end = blockBytes + inner.write(prefix, blockBytes, "latin1");
    if (typeof body === "string") end += inner.write(body, end);
    else {
      inner.set(body, end);
      end += body.length;
    }
    outer.set(outerPad);
    // A digest as a "binary" string is faster here than a Buffer.
    outer.write(hash("sha256", inner.subarray(0, end), "binary"), blockBytes, "latin1");
    return hash("sha256", outer, "hex");
  };
}

/** Most texts fit with three bytes per character, so their bytes need not be counted. */
function fits(body: string | Uint8Array, freeBytes: number): boolean {
  if (typeof body !== "string") return body.length <= freeBytes;
  return body.length * 3 <= freeBytes || (body.length <= freeBytes && Buffer.byteLength(body) <= freeBytes);
}

function createPads(bytes: Uint8Array): { innerPad: Uint8Array; outerPad: Uint8Array } {
  const block = new Uint8Array(blockBytes);
  block.set(bytes.length > blockBytes ? hash("sha256", bytes, "buffer") : bytes);
  return { innerPad: block.map((byte) => byte ^ 0x36), outerPad: block.map((byte) => byte ^ 0x5c) };
}

// At the limit the cache is cleared, as with WebCrypto. Active keys are cached again at their next call.
const maximumKeys = 500;
const prepared = new Map<string, HmacSha256>();

/** Returns HMAC-SHA256 for a secret, from a cache. */
export function cachedHmacSha256(secret: string): HmacSha256 {
  let hmac = prepared.get(secret);
  if (!hmac) {
    hmac = createHmacSha256(secret);
    if (prepared.size >= maximumKeys) prepared.clear();
    prepared.set(secret, hmac);
  }
  return hmac;
}
