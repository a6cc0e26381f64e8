import type { OpenSigner, Sign, SigningSecretsRow } from "@hookwright/delivery";
import { createSigner } from "@hookwright/signature/node";
import { createSecretBox } from "./secret-box.ts";

/** Encrypts the signing secrets of webhooks and signs with them. */
export interface Signing {
  /** Encrypts a signing secret for the store. */
  seal(signingSecret: string, webhookId: string): string;
  /** For deliveries: signs with the current secret. @throws DeliveryError `secret_unreadable` */
  readonly openSigner: OpenSigner;
  /** For tests: signs with the pending secret during a rotation (specification §3.3). @throws DeliveryError `secret_unreadable` */
  readonly openTestSigner: OpenSigner;
}

/** @param options.secret the server secret, from which the encryption key is derived */
export function createSigning({ secret }: { readonly secret: string }): Signing {
  const secretBox = createSecretBox({ secret });
  /** A delivery costs one HMAC and no decryption. */
  const signers = new WeakMap<SigningSecretsRow, Sign>();
  const toSigner = (sealed: string, webhookId: string): Sign =>
    createSigner(secretBox.open(sealed, webhookId));
  return {
    seal: secretBox.seal,
    openSigner(secrets) {
      const known = signers.get(secrets);
      if (known !== undefined) return known;
      const signer = toSigner(secrets.current, secrets.webhook_id);
      signers.set(secrets, signer);
      return signer;
    },
    openTestSigner: ({ webhook_id: webhookId, current, pending }) => toSigner(pending ?? current, webhookId),
  };
}
