import { createHmacSha256 } from "./hmac-sha256.ts";
import type { HmacSha256 } from "./hmac-sha256.ts";

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
