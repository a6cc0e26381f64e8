import { SignatureError } from "./signature-error.ts";

export const defaultHeaderPrefix = "X-Service";

export const wrongHeaderPrefix = "headerPrefix must have 1 to 40 letters, digits and hyphens, such as X-Acme";

/** Whether header names can begin with it: 1 to 40 letters, digits and hyphens. */
export function isHeaderPrefix(text: string): boolean {
  return /^[a-z\d-]{1,40}$/i.test(text);
}

/**
 * Returns the prefix of the header names, such as `X-Acme`.
 *
 * @throws SignatureError `invalid_option`
 */
export function requireHeaderPrefix(headerPrefix = defaultHeaderPrefix): string {
  if (isHeaderPrefix(headerPrefix)) return headerPrefix;
  throw new SignatureError("invalid_option", wrongHeaderPrefix);
}
