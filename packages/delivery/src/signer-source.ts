import { createSigner } from "@hookwright/signature/node";
import { DeliveryError } from "./delivery-error.ts";
import type { Sign } from "./attempt.ts";
import type { SecretBox } from "./secret-box.ts";
import { createTextCache } from "./rows/text-cache.ts";

/** The signing secrets of one webhook as they are stored: each sealed. */
export interface SigningSecretRow {
  readonly webhook_id: string;
  readonly current: string;
  /** Made by a rotation that is neither finished nor cancelled. */
  readonly pending: string | null;
}

export interface SignerSource {
  /** Signs deliveries. @throws DeliveryError `secret_missing`, `secret_unreadable` */
  current(text: string | undefined, webhookId: string): { readonly sign: Sign };
  /** Signs tests: with the pending secret while a rotation is under way (specification §3.3). */
  forTests(text: string | undefined, webhookId: string): { readonly sign: Sign };
}

/** Opens stored secrets and keeps the keys made of them, so that a delivery costs one HMAC and no decryption. */
export function createSignerSource({ secretBox }: { readonly secretBox: SecretBox }): SignerSource {
  const open = createTextCache((text) => {
    const row: SigningSecretRow = JSON.parse(text);
    const toSign = (sealed: string): { sign: Sign } => ({
      sign: createSigner(secretBox.open(sealed, row.webhook_id)),
    });
    const current = toSign(row.current);
    return { current, forTests: row.pending === null ? current : toSign(row.pending) };
  });
  const read = (text: string | undefined, webhookId: string) => {
    if (text === undefined)
      throw new DeliveryError("secret_missing", `webhook ${webhookId} has no signing secret`);
    return open(text);
  };
  return {
    current: (text, webhookId) => read(text, webhookId).current,
    forTests: (text, webhookId) => read(text, webhookId).forTests,
  };
}
