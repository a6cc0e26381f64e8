const secretBytes = 32;

/** A new signing secret. The whole of it, prefix included, is the HMAC key (contract §6). */
export function createSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(secretBytes)).toString("base64url")}`;
}
