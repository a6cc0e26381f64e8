import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { DeliveryError } from "@hookwright/delivery";

export interface SecretBox {
  /** The key id of the current secret. */
  readonly keyId: string;
  /** Whether a secret with this key id was given. */
  knows(keyId: string): boolean;
  /**
   * Encrypts a text. `context` (a webhook id) is authenticated with it, so a row cannot be moved to another webhook.
   *
   * @param keyId of a known secret. @default that of the current secret
   */
  seal(text: string, context: string, keyId?: string): string;
  /** @throws DeliveryError `secret_unreadable` if the server secret is not known, or the text was altered */
  open(sealed: string, context: string): string;
}

export interface ServerSecrets {
  /** The current server secret. */
  readonly secret: string;
  /** Other secrets that stored values may be encrypted with, during a rotation. @default [] */
  readonly previousSecrets?: readonly string[] | undefined;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
/** Without this option, Node accepts authentication tags of four bytes, which can be guessed. */
const authTagLength = 16;
const keyIdBytes = 8;

/**
 * Encrypts signing secrets in the store (contract: Secrets): AES-256-GCM with a key derived from the server secret (HKDF, RFC 5869).
 * A value begins with the key id of its secret, so that several secrets can be in use.
 *
 * @example
 * const box = createSecretBox({ secret });
 * box.open(box.seal("whsec_…", "wh_1"), "wh_1"); // "whsec_…"
 */
export function createSecretBox({ secret, previousSecrets = [] }: ServerSecrets): SecretBox {
  const current = toKeyId(secret);
  const secretKeys = new Map([secret, ...previousSecrets].map((each) => [toKeyId(each), toKey(each)]));
  return {
    keyId: current,
    knows: (keyId) => secretKeys.has(keyId),
    seal(text, context, keyId = current) {
      const key = secretKeys.get(keyId);
      if (key === undefined) throw unreadable(context, keyId);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength }).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${keyId}.${sealed.toString("base64")}`;
    },
    open(sealed, context) {
      const keyId = keyIdOf(sealed);
      const key = secretKeys.get(keyId);
      if (key === undefined) throw unreadable(context, keyId);
      const bytes = Buffer.from(sealed.slice(keyId.length + 1), "base64");
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
          `the signing secret of ${context} cannot be decrypted: it was altered`,
          { cause },
        );
      }
    },
  };
}

/** Identifies a server secret without revealing it. */
export function toKeyId(secret: string): string {
  return derive(secret, "hookwright key id v1", keyIdBytes).toString("base64url");
}

/** The key id of the secret that a text was encrypted with. */
export function keyIdOf(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf(".")));
}

function toKey(secret: string): Uint8Array {
  return derive(secret, "hookwright signing secrets v1", 32);
}

function derive(secret: string, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, length));
}

function unreadable(context: string, keyId: string): DeliveryError {
  return new DeliveryError(
    "secret_unreadable",
    `the signing secret of ${context} cannot be decrypted: start with the server secret that it is encrypted with (key id ${keyId}). During a rotation, start with both secrets`,
  );
}
