import { createHmac, hkdfSync } from "node:crypto";

const saltBytes = 16;

/**
 * All accounts with the same e-mail address have the same salt. A sign-in then needs one derivation, and its duration does not reveal
 * the number of accounts. Salts are derived with the server secret, so attackers cannot compute them.
 */
export function createPasswordSalt({ secret }: { readonly secret: string }): (email: string) => Uint8Array {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "hookwright password salts v1", 32));
  return (email) => createHmac("sha256", key).update(email).digest().subarray(0, saltBytes);
}
