/** A key as it is stored: its fingerprint is elsewhere, the key itself nowhere. Times are milliseconds. */
export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly integration: boolean;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** What a fingerprint leads to. */
export interface FingerprintRow {
  readonly account_id: string;
  readonly key_id: string;
}
