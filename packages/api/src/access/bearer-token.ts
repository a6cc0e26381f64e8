import { HookwrightError } from "@hookwright/domain";

/**
 * The token of an `Authorization: Bearer <token>` header; the scheme is compared without case (RFC 9110, section 11.1).
 *
 * @throws HookwrightError `missing_api_key` for no header, another scheme, or nothing behind the scheme
 */
export function readBearerToken(authorization: string | null): string {
  if (authorization !== null) {
    const text = authorization.trim();
    if (/^bearer[ \t]/i.test(text)) return text.slice(7).trimStart();
  }
  throw new HookwrightError(
    "missing_api_key",
    "Send an API key in the header: Authorization: Bearer <API_KEY>.",
  );
}
