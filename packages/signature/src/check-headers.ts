import { defaultHeaderPrefix, isHeaderPrefix } from "./header-prefix.ts";
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
  /** At least one, each `v1=` and 64 lower-case hex digits. */
  readonly signatures: readonly string[];
  /** The headers that are not signed. */
  readonly event: string | undefined;
  readonly test: string | undefined;
}

/** Validates everything that needs no HMAC. */
export function checkHeaders(
  {
    headers,
    secrets,
    toleranceSeconds = 300,
    now = Date.now() / 1000,
    headerPrefix = defaultHeaderPrefix,
  }: VerifyOptions,
  found: ServiceHeaders = readServiceHeaders(headers ?? {}),
): CheckedHeaders {
  const keys = [secrets].flat();
  // Anybody can sign with an empty key, so it is rejected even together with valid keys.
  if (!keys.length || keys.some((key) => typeof key !== "string" || !key))
    throw new SignatureError("no_secret", "secret is empty or missing");
  // NaN compares as false with everything and would switch the age check off. null would count as 0.
  if (
    !(now - toleranceSeconds <= now && now === +now && toleranceSeconds === +toleranceSeconds) ||
    !isHeaderPrefix(headerPrefix)
  )
    throw new SignatureError("invalid_option", "toleranceSeconds, now or headerPrefix is invalid");

  const prefix = `${headerPrefix}-`.toLowerCase();
  const timestamp = readRequired(found, `${prefix}timestamp`);
  const signature = readRequired(found, `${prefix}signature`);
  if (!/^\d+$/.test(timestamp))
    throw new SignatureError("malformed_header", `${prefix}timestamp is not one integer`);
  // Upper-case digits are rejected, because the sender writes lower case (specification, section 5).
  const signatures = signature
    .split(",")
    .map((value) => value.trim())
    .filter((value) => /^v1=[0-9a-f]{64}$/.test(value));
  if (!signatures.length)
    throw new SignatureError("malformed_header", `${prefix}signature is not v1= and 64 lowercase hex`);

  const distanceSeconds = Math.abs(now - +timestamp);
  if (distanceSeconds > toleranceSeconds)
    throw new SignatureError(
      "timestamp_outside_tolerance",
      `timestamp is ${Math.ceil(distanceSeconds)} s from now`,
    );
  return {
    secrets: keys,
    timestamp,
    signatures,
    event: found[`${prefix}event`],
    test: found[`${prefix}test`],
  };
}

function readRequired(found: ServiceHeaders, name: string): string {
  const value = found[name];
  if (!value) throw new SignatureError("missing_header", `no ${name}: pass all headers`);
  return value;
}
