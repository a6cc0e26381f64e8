import { HookwrightError } from "@hookwright/domain";

/** A stored API key. Only its fingerprint is stored, never the key. Times are milliseconds since the epoch. */
export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly integration: boolean;
  readonly created_at: number;
  readonly revoked_at: number | null;
  /** Needed to remove the fingerprint entry with the key. Rows of older versions have none. */
  readonly fingerprint?: string;
}

/** The error for an unknown or revoked key. */
export function unknownKey(): HookwrightError {
  return new HookwrightError(
    "invalid_api_key",
    "The API key is unknown or revoked. Create another in the developer console.",
  );
}
