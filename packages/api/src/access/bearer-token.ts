import { HookwrightError } from "@hookwright/domain";
import type { Access } from "../routing/route.ts";

const tokenHints: Readonly<Record<Exclude<Access, "public">, string>> = {
  account: "Send an API key in the header: Authorization: Bearer <API_KEY>.",
  console:
    "Sign in with POST /console/api/session, and send the token in the header: Authorization: Bearer <CONSOLE_TOKEN>.",
  host: "Send the host token in the header: Authorization: Bearer <HOST_TOKEN>.",
  metrics: "Send the metrics token or a host token in the header: Authorization: Bearer <METRICS_TOKEN>.",
};

/** The token of an `Authorization: Bearer <token>` header. The scheme is case-insensitive (RFC 9110, section 11.1). */
export function findBearerToken(authorization: string): string | undefined {
  const text = authorization.trim();
  return /^bearer[ \t]/i.test(text) ? text.slice(7).trimStart() : undefined;
}

/**
 * Reads the token of an `Authorization: Bearer <token>` header.
 *
 * @param access decides which kind of token the error message asks for
 * @throws HookwrightError `missing_api_key` if the header is missing, has another scheme or has no token
 */
export function readBearerToken(authorization: string | null, access: keyof typeof tokenHints): string {
  const token = authorization === null ? undefined : findBearerToken(authorization);
  if (token !== undefined) return token;
  throw new HookwrightError("missing_api_key", tokenHints[access]);
}
