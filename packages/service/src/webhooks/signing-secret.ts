const secretBytes = 32;

/** Creates a signing secret. The HMAC key is the whole text, including the prefix (contract §6). */
export function createSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(secretBytes)).toString("base64url")}`;
}
