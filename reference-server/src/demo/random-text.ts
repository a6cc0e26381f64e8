import { randomBytes } from "node:crypto";

/** A token with 192 random bits. */
export function randomToken(): string {
  return randomBytes(24).toString("base64url");
}

/** 32 letters and digits that look different from each other. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** A password that is easy to type, such as `k7qd-93mx-w2fa-pz4h`: 80 random bits. */
export function randomPassword(): string {
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]);
  return letters.join("").replaceAll(/(?<=^(?:.{4})+)(?=.)/gu, "-");
}
