import { defaultHeaderPrefix, isHeaderPrefix, wrongHeaderPrefix } from "./header-prefix.ts";
import type { ServiceHeaders } from "./read-service-headers.ts";
import { SignatureError } from "./signature-error.ts";
import type { SignatureErrorCode } from "./signature-error.ts";
import { toBytes } from "./to-bytes.ts";
import type { RawBody, VerifyOptions } from "./verify-options.ts";

export interface Refusal {
  readonly options: VerifyOptions;
  readonly found: ServiceHeaders;
  /** Whether the delivery is valid with its body decoded from base64. */
  readonly isBase64: boolean;
}

/**
 * Replaces the short message of an error with one that names the likely mistake and what to do. The code stays. The
 * lean entry has only the short messages.
 */
export function explainRefusal(error: unknown, refusal: Refusal): unknown {
  if (!(error instanceof SignatureError)) return error;
  const message = explanations[error.code]?.(refusal);
  return message === undefined ? error : new SignatureError(error.code, message);
}

/** Returns the bytes of a base64 body, if the error may be caused by one. */
export function decodeBase64Body(error: unknown, body: RawBody): Uint8Array | undefined {
  if (!(error instanceof SignatureError) || error.code !== "signature_mismatch") return undefined;
  const text = typeof body === "string" ? body : new TextDecoder().decode(toBytes(body));
  if (!/^[A-Za-z0-9+/]+={0,2}\s*$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function explainMismatch({ options: { body, secrets }, isBase64 }: Refusal): string {
  if (isBase64)
    return 'the signature matches the decoded body, but body is base64: pass Buffer.from(body, "base64") (AWS Lambda sets isBase64Encoded)';
  if (toBytes(body).length === 0)
    return "body is empty: it was never read, or something read it before. Read the raw body once, before any body parser";
  // A secret that was read from a file often ends with a line break.
  const hint = [secrets].flat().some((secret) => secret !== secret.trim()) ? ", trimmed" : "";
  return `no signature matches: the secret is wrong (pass the whole whsec_ string${hint}) or the body changed (it was parsed or re-encoded)`;
}

/** Later than any date in seconds (year 5138), earlier than any recent date in milliseconds. */
const smallestMilliseconds = 100_000_000_000;

function explainTimestamp({
  options: { now = Date.now() / 1000, toleranceSeconds = 300, headerPrefix = defaultHeaderPrefix },
  found,
}: Refusal): string {
  const name = `${headerPrefix.toLowerCase()}-timestamp`;
  const timestamp = Number(found[name]);
  const isNowInMilliseconds = now >= smallestMilliseconds;
  if (isNowInMilliseconds !== timestamp >= smallestMilliseconds)
    return isNowInMilliseconds
      ? "now is in milliseconds: pass seconds, Date.now() / 1000"
      : `${name} is in milliseconds: sign Unix seconds, Math.floor(Date.now() / 1000)`;
  const ageSeconds = now - timestamp;
  return `timestamp is ${Math.ceil(Math.abs(ageSeconds))} s ${ageSeconds > 0 ? "behind" : "ahead of"} now, limit ${toleranceSeconds} s: replay or wrong clock`;
}

function explainOption({ options: { headerPrefix = defaultHeaderPrefix } }: Refusal): string {
  return isHeaderPrefix(headerPrefix)
    ? "toleranceSeconds or now is negative or not a number"
    : wrongHeaderPrefix;
}

const explanations: Partial<Record<SignatureErrorCode, (refusal: Refusal) => string>> = {
  body_not_raw: ({ options: { body } }) =>
    `body is ${body ? `parsed (${typeof body})` : "missing"}: pass the raw body`,
  no_secret: () => "secret is empty or missing: is its variable set?",
  invalid_option: explainOption,
  timestamp_outside_tolerance: explainTimestamp,
  signature_mismatch: explainMismatch,
};
