import { randomBytes } from "node:crypto";

/** A token nobody can guess: 192 bits. */
export function randomToken(): string {
  return randomBytes(24).toString("base64url");
}

/** 32 letters and digits that cannot be taken for one another. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** A password that can be typed from a screen, `k7qd-93mx-w2fa-pz4h`: 80 bits. */
export function randomPassword(): string {
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]);
  return letters.join("").replaceAll(/(?<=^(?:.{4})+)(?=.)/gu, "-");
}
