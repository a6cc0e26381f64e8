import { requireSecret } from "./sign-options.ts";

/**
 * Returns a signing secret in the form that libraries for Standard Webhooks expect: `whsec_` and the base64 of the
 * HMAC key. Our HMAC key is the UTF-8 of the whole `whsec_…` text.
 *
 * @throws SignatureError `no_secret`
 * @example
 * new Webhook(toStandardSecret(secret)).verify(body, headers); // `Webhook` of the package standardwebhooks
 */
export function toStandardSecret(secret: string): string {
  const bytes = new TextEncoder().encode(requireSecret(secret));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
