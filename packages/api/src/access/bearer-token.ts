import { HookwrightError } from "@hookwright/domain";
import type { Access } from "../routing/route.ts";

const asked: Readonly<Record<Exclude<Access, "public">, string>> = {
  account: "Send an API key in the header: Authorization: Bearer <API_KEY>.",
  console:
    "Sign in with POST /console/api/session, and send its token in the header: Authorization: Bearer <CONSOLE_TOKEN>.",
  host: "Send the host token in the header: Authorization: Bearer <HOST_TOKEN>.",
};

/**
 * The token of an `Authorization: Bearer <token>` header; the scheme is compared without case (RFC 9110, section 11.1).
 *
 * @param access whose token is asked for where there is none
 * @throws HookwrightError `missing_api_key` for no header, another scheme, or nothing behind the scheme
 */
export function readBearerToken(authorization: string | null, access: keyof typeof asked): string {
  if (authorization !== null) {
    const text = authorization.trim();
    if (/^bearer[ \t]/i.test(text)) return text.slice(7).trimStart();
  }
  throw new HookwrightError("missing_api_key", asked[access]);
}
