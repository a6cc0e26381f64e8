import { MockError } from "./mock-error.ts";

/** @throws MockError `invalid_api_key` */
export function parseApiKey(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new MockError("invalid_api_key", "apiKey must be visible ASCII characters without spaces.");
}
