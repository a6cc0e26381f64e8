import { signSync } from "./node/sign-sync.ts";
import { verifySync } from "./node/verify-sync.ts";
import type { SignOptions } from "./sign-options.ts";
import type { VerifyOptions } from "./verify-options.ts";
import type { NoOwnEvents, OwnEventData, WebhookEvent } from "./webhook-event.ts";

export { createSignedHeaders } from "./create-signed-headers.ts";
export { createSignedRequest } from "./create-signed-request.ts";
export { createSigner, signSync } from "./node/sign-sync.ts";
export { createStandardSigner } from "./node/standard-signer.ts";
export { verifySync } from "./node/verify-sync.ts";
export { readDeliveryFacts } from "./read-delivery-facts.ts";
export { SignatureError } from "./signature-error.ts";
export { toStandardSecret } from "./to-standard-secret.ts";

export type { StandardContent, StandardSigner } from "./node/standard-signer.ts";
export type { SignedHeadersOptions } from "./create-signed-headers.ts";
export type { SignedRequestOptions } from "./create-signed-request.ts";
export type {
  Booking,
  Customer,
  OpenSet,
  Order,
  OrderItem,
  PropertyEnquiry,
  Rental,
  RentalHandover,
  Review,
  Subscriber,
} from "./event-data.ts";
export type { DeliveryFacts } from "./read-delivery-facts.ts";
export type { FetchHeaders, HeadersByName, HeadersInput, HeaderValue } from "./read-service-headers.ts";
export type { SignedContent, SignOptions } from "./sign-options.ts";
export type { SignatureErrorCode, SignatureErrorStatus } from "./signature-error.ts";
export type { RawBody, VerifyOptions } from "./verify-options.ts";
export type {
  DeliveryEnvelope,
  EventDataByName,
  EventProject,
  KnownDeliveryBody,
  KnownEventName,
  KnownWebhookEvent,
  NoOwnEvents,
  OwnEventData,
  OwnWebhookEvent,
  UnknownEventName,
  UnknownWebhookEvent,
  VerifiedDelivery,
  WebhookEvent,
} from "./webhook-event.ts";
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
