import { readServiceHeaders } from "./read-service-headers.ts";
import type { ServiceHeaders } from "./read-service-headers.ts";
import { SignatureError } from "./signature-error.ts";
import type { VerifyOptions } from "./verify-options.ts";

/** What is left to compare once the options and headers have been found in order. */
export interface CheckedHeaders {
  /** At least one, none empty. */
  readonly secrets: readonly string[];
  /** As sent, because the text itself is signed. */
  readonly timestamp: string;
  /** At least one, each `v1=` and 64 lower-case hex digits, white space around it not yet trimmed. */
  readonly signatures: readonly string[];
  /** The value of `X-Service-Event`, which is not signed. */
  readonly event: string | undefined;
}

/** Everything that can be refused without computing an HMAC. */
export function checkHeaders(
  { headers, secrets, toleranceSeconds = 300, now = Date.now() / 1000 }: VerifyOptions,
  found: ServiceHeaders = readServiceHeaders(headers ?? {}),
): CheckedHeaders {
  const keys = [secrets].flat();
  // Anybody can sign with an empty key, so one among good ones is refused as well.
  if (!keys.length || keys.some((key) => typeof key !== "string" || !key))
    throw new SignatureError("no_secret", "empty or missing secret: is its variable set?");
  // NaN compares as false with everything, and so would switch the age check off; null would count as 0.
  if (!(now - toleranceSeconds <= now && now === +now && toleranceSeconds === +toleranceSeconds))
    throw new SignatureError("invalid_option", "toleranceSeconds or now is negative or no number");

  const timestamp = readRequired(found, "x-service-timestamp");
  const signature = readRequired(found, "x-service-signature");
  if (!/^\d+$/.test(timestamp))
    throw new SignatureError("malformed_header", "x-service-timestamp is repeated or no integer");
  // Upper-case digits are refused: the sender writes lower case (specification, section 5).
  const signatures = signature.split(",").filter((value) => /^\s*v1=[0-9a-f]{64}\s*$/.test(value));
  if (!signatures.length)
    throw new SignatureError("malformed_header", "x-service-signature has no v1= and 64 lowercase hex");

  const ageSeconds = now - +timestamp;
  const distanceSeconds = Math.abs(ageSeconds);
  if (distanceSeconds > toleranceSeconds)
    throw new SignatureError(
      "timestamp_outside_tolerance",
      `timestamp is ${Math.ceil(distanceSeconds)} s ${ageSeconds > 0 ? "behind" : "ahead of"} now, limit ${toleranceSeconds} s: replay or wrong clock`,
    );
  return { secrets: keys, timestamp, signatures, event: found["x-service-event"] };
}

function readRequired(found: ServiceHeaders, name: string): string {
  const value = found[name];
  if (!value) throw new SignatureError("missing_header", `no ${name}: pass all request headers`);
  return value;
}
