import { createExchange } from "./http/exchange.ts";
import { createRedact } from "./http/redact.ts";
import type { ClientOptions } from "./options.ts";
import { readOptions } from "./read-options.ts";
import { createGetAccount } from "./resources/account.ts";
import type { GetAccount } from "./resources/account.ts";
import { createBlogPosts } from "./resources/blog-posts.ts";
import type { BlogPosts } from "./resources/blog-posts.ts";
import { createContacts } from "./resources/contacts.ts";
import type { Contacts } from "./resources/contacts.ts";
import { createEmailLists } from "./resources/email-lists.ts";
import type { EmailLists } from "./resources/email-lists.ts";
import { createEventTypes } from "./resources/event-types.ts";
import type { EventTypes } from "./resources/event-types.ts";
import { createGetOpenApi } from "./resources/open-api.ts";
import type { GetOpenApi } from "./resources/open-api.ts";
import { createOrders } from "./resources/orders.ts";
import type { Orders } from "./resources/orders.ts";
import { createProjects } from "./resources/projects.ts";
import type { Projects } from "./resources/projects.ts";
import { createSubscribers } from "./resources/subscribers.ts";
import type { Subscribers } from "./resources/subscribers.ts";
import { createWebhooks } from "./resources/webhooks.ts";
import type { Webhooks } from "./resources/webhooks.ts";
import { createSend } from "./send.ts";

/**
 * The operations of the API. Bodies, filters and responses use the field names of the API (`project_id`). The
 * last argument of every call is `{ signal }`. Calls fail with a `ClientError`.
 */
export interface Client {
  readonly me: GetAccount;
  readonly projects: Projects;
  readonly eventTypes: EventTypes;
  readonly webhooks: Webhooks;
  readonly contacts: Contacts;
  readonly subscribers: Subscribers;
  readonly emailLists: EmailLists;
  readonly blogPosts: BlogPosts;
  readonly orders: Orders;
  readonly openApi: GetOpenApi;
}

/**
 * Creates a client of the integration API. It opens no connection and sends no request before the first call.
 *
 * @throws ClientError `invalid_option`
 * @example
 * const client = createClient({ baseUrl: "https://example.com", apiKey });
 * for await (const order of client.orders.list({ status: "paid" })) console.log(order.number, order.total);
 */
export function createClient(options: ClientOptions): Client {
  const checked = readOptions(options);
  const redact = createRedact(checked.apiKey);
  const send = createSend({ options: checked, redact, exchange: createExchange(checked, redact) });
  return {
    me: createGetAccount(send),
    projects: createProjects(send),
    eventTypes: createEventTypes(send),
    webhooks: createWebhooks(send),
    contacts: createContacts(send),
    subscribers: createSubscribers(send),
    emailLists: createEmailLists(send),
    blogPosts: createBlogPosts(send),
    orders: createOrders(send),
    openApi: createGetOpenApi(send),
  };
}
