import { signSync } from "./node/sign-sync.ts";
import { verifySync } from "./node/verify-sync.ts";
import type { SignOptions } from "./sign-options.ts";
import type { VerifyOptions } from "./verify-options.ts";
import type { NoOwnEvents, OwnEventData, WebhookEvent } from "./webhook-event.ts";

export { createSignedHeaders, createSignedRequest } from "./signed-request.ts";
export { createSigner, signSync } from "./node/sign-sync.ts";
export { createStandardSigner } from "./node/standard-signer.ts";
export { verifySync } from "./node/verify-sync.ts";
export { readDeliveryFacts } from "./read-delivery-facts.ts";
export { SignatureError } from "./signature-error.ts";
export { toStandardSecret } from "./to-standard-secret.ts";

export type { StandardContent, StandardSigner } from "./node/standard-signer.ts";
export type * from "./types.ts";
export type { Signer } from "./node/sign-sync.ts";

/** `verifySync` with the name and the promise of the portable entry, so that the entries are interchangeable. */
export async function verify<Own extends OwnEventData = NoOwnEvents>(
  options: VerifyOptions,
): Promise<WebhookEvent<Own>> {
  return verifySync(options);
}

/** `signSync` with the name and the promise of the portable entry. */
export async function sign(options: SignOptions): Promise<string> {
  return signSync(options);
}
