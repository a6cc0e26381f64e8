import { HookwrightError } from "@hookwright/domain";

/** A key as it is stored: it is found by its fingerprint, and is itself nowhere. Times are milliseconds. */
export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly integration: boolean;
  readonly created_at: number;
  readonly revoked_at: number | null;
  /** So that what leads to the key can go with it; rows from before it was kept have none. */
  readonly fingerprint?: string;
}

/** The answer to a key that nobody holds, or nobody holds any more. */
export function unknownKey(): HookwrightError {
  return new HookwrightError(
    "invalid_api_key",
    "The API key is unknown or revoked. Create another in the developer console.",
  );
}
