import type { CreatedConsoleWebhook } from "@hookwright/domain";
import { toStandardSecret } from "@hookwright/signature/node";
import type { Signing } from "../signing/signing.ts";

const secretBytes = 32;

/** Creates a signing secret. The HMAC key is the whole text, including the prefix (contract: Secrets). */
export function createSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(secretBytes)).toString("base64url")}`;
}

/** The fields with a new secret, of a webhook or a listener. With Standard Webhooks, also in the form that their libraries expect. */
export function showSecret(
  { standardWebhooks }: Pick<Signing, "standardWebhooks">,
  signingSecret: string,
): Pick<CreatedConsoleWebhook, "signing_secret" | "standard_signing_secret"> {
  return {
    signing_secret: signingSecret,
    ...(standardWebhooks && { standard_signing_secret: toStandardSecret(signingSecret) }),
  };
}
