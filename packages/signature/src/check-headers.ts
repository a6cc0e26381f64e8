import { requireHeaderPrefix } from "./header-prefix.ts";
import { readServiceHeaders } from "./read-service-headers.ts";
import type { ServiceHeaders } from "./read-service-headers.ts";
import { SignatureError } from "./signature-error.ts";
import type { VerifyOptions } from "./verify-options.ts";

/** Valid options and headers, ready for the comparison. */
export interface CheckedHeaders {
  /** At least one, none empty. */
  readonly secrets: readonly string[];
  /** As sent, because the text itself is signed. */
  readonly timestamp: string;
  /** At least one, each `v1=` and 64 lower-case hex digits, not yet trimmed. */
  readonly signatures: readonly string[];
  /** The headers that are not signed. */
  readonly event: string | undefined;
  readonly test: string | undefined;
}

/** Validates everything that needs no HMAC. */
export function checkHeaders(
  { headers, secrets, toleranceSeconds = 300, now = Date.now() / 1000, headerPrefix }: VerifyOptions,
  found: ServiceHeaders = readServiceHeaders(headers ?? {}),
): CheckedHeaders {
  const keys = [secrets].flat();
  // Anybody can sign with an empty key, so it is rejected even together with valid keys.
  if (!keys.length || keys.some((key) => typeof key !== "string" || !key))
    throw new SignatureError("no_secret", "secret is empty or missing: is its variable set?");
  // NaN compares as false with everything and would switch the age check off. null would count as 0.
  if (!(now - toleranceSeconds <= now && now === +now && toleranceSeconds === +toleranceSeconds))
    throw new SignatureError("invalid_option", "toleranceSeconds or now is negative or not a number");

  const prefix = requireHeaderPrefix(headerPrefix).toLowerCase();
  const timestamp = readRequired(found, `${prefix}-timestamp`);
  const signature = readRequired(found, `${prefix}-signature`);
  if (!/^\d+$/.test(timestamp))
    throw new SignatureError("malformed_header", `${prefix}-timestamp is repeated or not an integer`);
  // Upper-case digits are rejected, because the sender writes lower case (specification, section 5).
  const signatures = signature.split(",").filter((value) => /^\s*v1=[0-9a-f]{64}\s*$/.test(value));
  if (!signatures.length)
    throw new SignatureError("malformed_header", `${prefix}-signature is not v1= and 64 lowercase hex`);

  const ageSeconds = now - +timestamp;
  const distanceSeconds = Math.abs(ageSeconds);
  if (distanceSeconds > toleranceSeconds)
    throw new SignatureError(
      "timestamp_outside_tolerance",
      `timestamp is ${Math.ceil(distanceSeconds)} s ${ageSeconds > 0 ? "behind" : "ahead of"} now, limit ${toleranceSeconds} s: replay or wrong clock`,
    );
  return {
    secrets: keys,
    timestamp,
    signatures,
    event: found[`${prefix}-event`],
    test: found[`${prefix}-test`],
  };
}

function readRequired(found: ServiceHeaders, name: string): string {
  const value = found[name];
  if (!value) throw new SignatureError("missing_header", `no ${name}: pass all headers`);
  return value;
}
