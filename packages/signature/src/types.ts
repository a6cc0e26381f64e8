export type { SignedHeadersOptions, SignedRequestOptions } from "./signed-request.ts";
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
