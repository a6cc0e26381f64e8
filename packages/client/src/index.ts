export { ClientError } from "./client-error.ts";
export type { ClientErrorDetails } from "./client-error.ts";
export { createClient } from "./create-client.ts";
export type { ApiErrorCode, ClientErrorCode, OwnErrorCode } from "./error-codes.ts";
export type { List, ListQuery, Page, PageMeta, PageStart } from "./list.ts";
export type { OpenApiDocument } from "./http/read-answer.ts";
export type { CallOptions, ClientOptions, Fetch, RetryNotice } from "./options.ts";
export type {
  BlogPostInput,
  BlogPosts,
  Client,
  ContactInputBody,
  ContactQuery,
  Contacts,
  DeliveryBody,
  EmailListQuery,
  EmailLists,
  EventType,
  EventTypes,
  GetAccount,
  GetOpenApi,
  OrderQuery,
  Orders,
  Projects,
  CreatedSubscriber,
  SampleQuery,
  SavedContact,
  SubscriberInputBody,
  Subscribers,
  WebhookCreation,
  Webhooks,
} from "./resources.ts";
export type {
  Account,
  BlogPost,
  Contact,
  CreatedWebhook,
  Deleted,
  EmailList,
  EventName,
  Order,
  Project,
  Subscriber,
  Webhook,
  WebhookInputBody,
} from "@hookwright/domain";
/** The deliveries of one event: `DeliveryBody` is a union of these. */
export type { DeliveryBody as DeliveryBodyOf, EventData } from "@hookwright/domain";
