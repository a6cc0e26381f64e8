import { requireSecret, toTimestampText } from "../sign-options.ts";
import type { SignedContent, SignOptions } from "../sign-options.ts";
import { toBytes } from "../to-bytes.ts";
import { cachedHmacSha256, createHmacSha256 } from "./hmac-sha256.ts";
import type { HmacSha256 } from "./hmac-sha256.ts";

/** Signs with the secret that it was created with. */
export type Signer = (content: SignedContent) => string;

/**
 * Returns the value of `X-Service-Signature`: `v1=` and 64 lower-case hex digits (specification, section 5).
 * Keys are cached, up to 500 of them.
 *
 * @throws SignatureError `no_secret`, `invalid_option` (the timestamp), `body_not_raw`
 * @example
 * const signature = signSync({ body, secret, timestamp: Math.floor(Date.now() / 1000) });
 */
export function signSync({ body, secret, timestamp }: SignOptions): string {
  return signWith(cachedHmacSha256(requireSecret(secret)), { body, timestamp });
}

/**
 * Like `signSync` with a prepared key, for a sender that keeps one signer for each webhook.
 *
 * @throws SignatureError `no_secret`; the signer throws `invalid_option` (the timestamp), `body_not_raw`
 * @example
 * const signer = createSigner(secret);
 * headers["X-Service-Signature"] = signer({ body, timestamp });
 */
export function createSigner(secret: string): Signer {
  const hmac = createHmacSha256(requireSecret(secret));
  return (content) => signWith(hmac, content);
}

function signWith(hmac: HmacSha256, { body, timestamp }: SignedContent): string {
  const digest = hmac(`${toTimestampText(timestamp)}.`, typeof body === "string" ? body : toBytes(body));
  // `join` creates a flat string, which is serialised twice as fast as a concatenation.
  return ["v1=", digest].join("");
}
