import { hash } from "node:crypto";

/** The value of a fingerprint entry: the owner of an API key. */
export interface FingerprintRow {
  readonly account_id: string;
  readonly key_id: string;
}

/** SHA-256 of a credential. A slow hash is not needed, because a credential has 256 random bits. */
export function toFingerprint(credential: string): string {
  return hash("sha256", credential, "hex");
}
