export { deliveryFaults } from "./delivery/delivery-faults.ts";
export type { DeliveryFault } from "./delivery/delivery-faults.ts";
export type { SignedDelivery } from "./delivery/to-signed-delivery.ts";
export { signedDelivery } from "./delivery/signed-delivery.ts";
export type { OwnSignedDeliveryOptions, SignedDeliveryOptions } from "./delivery/signed-delivery.ts";
export type { TakenDelivery } from "./delivery/take-deliveries.ts";
export type { Failure, FailureOptions } from "./failure-options.ts";
export { mockApi } from "./mock-api.ts";
export type { MockApi } from "./mock-api.ts";
export type { MockApiOptions, PublishOptions } from "./mock-api-options.ts";
export { MockError } from "./mock-error.ts";
export type { MockErrorCode } from "./mock-error.ts";
export { mockReceiver } from "./receiver/mock-receiver.ts";
export type { MockReceiver, MockReceiverOptions } from "./receiver/mock-receiver.ts";
export type { ReceivedDelivery, RefusedDelivery } from "./receiver/received-delivery.ts";
export type { ReceiverAnswer } from "./receiver/receiver-answer.ts";
export type { RecordedRequest } from "./recorded-request.ts";
export { operationNames } from "./operation-names.ts";
export type { OperationName } from "./operation-names.ts";
export type {
  Seed,
  SeedBlogPost,
  SeedContact,
  SeedEmailList,
  SeedEvent,
  SeedProject,
  SeedSubscriber,
  SeedWebhook,
  WebhookChange,
} from "./seed.ts";
export type { MockState } from "./instance/read-state.ts";
export { toNodeListener } from "./to-node-listener.ts";
export type { NodeRequest, NodeResponse } from "./to-node-listener.ts";
/** The other errors that the functions of this package throw. */
export { HookwrightError } from "@hookwright/domain";
export { SignatureError } from "@hookwright/signature";
export type {
  Account,
  BlogPost,
  BuiltInEvents,
  Contact,
  DeliveryBody,
  DeliveryProject,
  EmailList,
  ErrorCode,
  EventData,
  EventName,
  HostAccount,
  Order,
  KnownEventName,
  NoOwnEvents,
  OwnDeliveryBody,
  OwnEvent,
  OwnEventData,
  OwnEventInput,
  OwnEvents,
  Project,
  Subscriber,
  Webhook,
} from "@hookwright/domain";
export type { WebhookEvent } from "@hookwright/signature";
