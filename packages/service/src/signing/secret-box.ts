import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { DeliveryError } from "@hookwright/delivery";

export interface SecretBox {
  /** Encrypts a text. `context` (a webhook id) is authenticated with it, so a row cannot be moved to another webhook. */
  seal(text: string, context: string): string;
  /** @throws DeliveryError `secret_unreadable` if the server secret is another one, or the text was altered */
  open(sealed: string, context: string): string;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
/** Without this option, Node accepts authentication tags of four bytes, which can be guessed. */
const authTagLength = 16;

/**
 * Encrypts signing secrets in the store (contract §6): AES-256-GCM with a key derived from the server secret (HKDF, RFC 5869).
 *
 * @example
 * const box = createSecretBox({ secret });
 * box.open(box.seal("whsec_…", "wh_1"), "wh_1"); // "whsec_…"
 */
export function createSecretBox({ secret }: { readonly secret: string }): SecretBox {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "hookwright signing secrets v1", 32));
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength }).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return sealed.toString("base64");
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, "base64");
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength });
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-authTagLength));
        return (
          decipher.update(bytes.subarray(nonceBytes, -authTagLength), undefined, "utf8") +
          decipher.final("utf8")
        );
      } catch (cause) {
        throw new DeliveryError(
          "secret_unreadable",
          `the signing secret of ${context} cannot be decrypted: start with the server secret it was created under`,
          { cause },
        );
      }
    },
  };
}
