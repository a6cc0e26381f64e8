import { requireSecret } from "./sign-options.ts";

const prefix = "whsec_";

/**
 * The HMAC key of `webhook-signature`. A secret that is `whsec_` and the padded base64 of 24 to 64 bytes is one of
 * Standard Webhooks: the key is these bytes. Otherwise it is the UTF-8 of the whole text, as for `X-Service-Signature`.
 *
 * @throws SignatureError `no_secret`
 */
export function toStandardKey(secret: string): Uint8Array {
  return decode(requireSecret(secret)) ?? new TextEncoder().encode(secret);
}

/** `undefined`: it is not a secret of Standard Webhooks. Generated secrets have no padding, so they never are. */
function decode(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(prefix)) return undefined;
  const encoded = secret.slice(prefix.length);
  if (!/^[A-Za-z\d+/]+={0,2}$/u.test(encoded) || encoded.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  return bytes.length >= 24 && bytes.length <= 64 && encode(bytes) === secret ? bytes : undefined;
}

function encode(bytes: Uint8Array): string {
  return prefix + btoa(String.fromCharCode(...bytes));
}

/**
 * Returns a signing secret in the form that libraries for Standard Webhooks expect: `whsec_` and the base64 of the
 * HMAC key. A secret that has this form already stays. Otherwise the HMAC key is the UTF-8 of the whole text.
 *
 * @throws SignatureError `no_secret`
 * @example
 * new Webhook(toStandardSecret(secret)).verify(body, headers); // `Webhook` of the package standardwebhooks
 */
export function toStandardSecret(secret: string): string {
  return encode(toStandardKey(secret));
}
