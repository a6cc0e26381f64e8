import { hash } from "node:crypto";

/** What the fingerprint of an API key leads to. */
export interface FingerprintRow {
  readonly account_id: string;
  readonly key_id: string;
}

/** SHA-256 of a credential with 256 bits of randomness: nothing slower is needed, since there is nothing to guess. */
export function toFingerprint(credential: string): string {
  return hash("sha256", credential, "hex");
}
