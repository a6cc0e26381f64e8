import { SignatureError } from "./signature-error.ts";
import type { RawBody } from "./verify-options.ts";

/** The content that a signature covers. */
export interface SignedContent {
  /** The exact bytes that are sent. A string stands for its UTF-8 bytes. */
  readonly body: RawBody;
  /** Unix seconds when it is sent: a whole number, or the text of the `X-Service-Timestamp` header. */
  readonly timestamp: number | string;
}

export interface SignOptions extends SignedContent {
  /** The signing secret, the whole `whsec_…` string. */
  readonly secret: string;
}

/** Receivers reject fractions, exponents and milliseconds (more than 11 digits). */
export function toTimestampText(timestamp: number | string): string {
  const text = `${timestamp}`;
  if (!/^\d{1,11}$/.test(text))
    throw new SignatureError(
      "invalid_option",
      "timestamp must be whole Unix seconds: Math.floor(Date.now() / 1000)",
    );
  return text;
}

/** Rejects an empty key, because anybody could forge its signatures. */
export function requireSecret(secret: string): string {
  if (typeof secret !== "string" || !secret)
    throw new SignatureError("no_secret", "secret is empty or missing: is its variable set?");
  return secret;
}
