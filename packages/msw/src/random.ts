export type RandomBytes = (size: number) => Uint8Array;

/** Returns random bytes as base64url without padding. */
export type ToToken = (bytes: number) => string;

export const systemRandomBytes: RandomBytes = (size) => crypto.getRandomValues(new Uint8Array(size));

export function createTokens(randomBytes: RandomBytes): ToToken {
  return (bytes) =>
    btoa(String.fromCharCode(...randomBytes(bytes)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
}
