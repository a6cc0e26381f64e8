import { SignatureError } from "./signature-error.ts";

/**
 * Returns the prefix of the header names, such as `X-Acme`: 1 to 40 letters, digits and hyphens.
 *
 * @throws SignatureError `invalid_option`
 */
export function requireHeaderPrefix(headerPrefix = "X-Service"): string {
  if (/^[a-z\d-]{1,40}$/i.test(headerPrefix)) return headerPrefix;
  throw new SignatureError("invalid_option", "headerPrefix is not like X-Acme");
}
