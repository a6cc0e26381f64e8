import { hkdfSync } from "node:crypto";

/**
 * Derives a value that identifies a server secret without revealing it.
 *
 * @example createSecretCheck(secret) // "5f0c…", 16 characters
 */
export function createSecretCheck(secret: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", "hookwright account export v1", 8)).toString("hex");
}
