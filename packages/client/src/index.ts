export { ClientError } from "./client-error.ts";
export type { ClientErrorDetails } from "./client-error.ts";
export { createClient } from "./create-client.ts";
export type { Client } from "./create-client.ts";
export type { ApiErrorCode, ClientErrorCode, OwnErrorCode } from "./error-codes.ts";
export type { List, ListQuery, Page, PageMeta, PageStart } from "./list.ts";
export type { CallOptions, ClientOptions, Fetch, RetryNotice } from "./options.ts";
export type { GetAccount } from "./resources/account.ts";
export type { BlogPostInput, BlogPosts } from "./resources/blog-posts.ts";
export type { ContactInputBody, ContactQuery, Contacts, SavedContact } from "./resources/contacts.ts";
export type { EmailListQuery, EmailLists } from "./resources/email-lists.ts";
export type { DeliveryBody, EventType, EventTypes, SampleQuery } from "./resources/event-types.ts";
export type { GetOpenApi, OpenApiDocument } from "./resources/open-api.ts";
export type { OrderQuery, Orders } from "./resources/orders.ts";
export type { Projects } from "./resources/projects.ts";
export type { CreatedSubscriber, SubscriberInputBody, Subscribers } from "./resources/subscribers.ts";
export type { WebhookCreation, WebhookInputBody, Webhooks } from "./resources/webhooks.ts";
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
} from "@hookwright/domain";
/** The deliveries of one event: `DeliveryBody` is a union of these. */
export type { DeliveryBody as DeliveryBodyOf, EventData } from "@hookwright/domain";
