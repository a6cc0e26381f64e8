import { HookwrightError } from "@hookwright/domain";

/** @throws HookwrightError `missing_api_key`, `invalid_api_key` */
export function authenticate(headers: Headers, apiKeys: ReadonlySet<string>): string {
  const authorization = headers.get("authorization")?.trim() ?? "";
  if (!/^bearer[ \t]/i.test(authorization)) {
    throw new HookwrightError(
      "missing_api_key",
      "Send an API key in the header: Authorization: Bearer <API_KEY>.",
    );
  }
  const token = authorization.slice(7).trimStart();
  if (apiKeys.has(token)) return token;
  if (token.startsWith("hwc_")) {
    throw new HookwrightError(
      "invalid_api_key",
      "The console token is unknown or signed out. Sign in again.",
    );
  }
  throw new HookwrightError(
    "invalid_api_key",
    "The API key is unknown or revoked. Create another in the developer console.",
  );
}
