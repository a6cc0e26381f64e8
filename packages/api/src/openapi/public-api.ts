import {
  accountSchema,
  apiErrors,
  blogPostInputSchema,
  blogPostSchema,
  contactInputSchema,
  contactSchema,
  createdWebhookSchema,
  deletedSchema,
  deliveryBodySchema,
  emailListSchema,
  eventTypeSchema,
  isChange,
  orderSchema,
  projectSchema,
  subscriberInputSchema,
  subscriberSchema,
  webhookInputSchema,
  webhookSchema,
} from "@hookwright/domain";
import { describeErrors } from "./described-api.ts";
import type { DescribedApi } from "./described-api.ts";

/** The API under `/v1`. */
export const publicApi: DescribedApi = {
  title: "Integration API",
  summary: "Contacts, subscribers, blog drafts, orders and signed webhooks of a site builder.",
  description: [
    "Lists are sorted newest first and paginated: pass `meta.next_cursor` as `cursor` until `meta.has_more` is false. A page may have fewer than `limit` rows if the rows are very long.",
  ],
  tags: {
    me: { name: "Account", description: "The account that owns the key." },
    projects: {
      name: "Sites",
      description: "The account's sites. Other endpoints take their ids as `project_id`.",
    },
    "event-types": {
      name: "Events",
      description: "The events that webhooks can subscribe to, and samples of them.",
    },
    webhooks: { name: "Webhooks", description: "Subscriptions of a URL to an event." },
    contacts: { name: "Contacts", description: "The contacts of a site. They need a plan with the CRM." },
    subscribers: { name: "Subscribers", description: "The members of a site's email lists." },
    "email-lists": { name: "Email lists", description: "The lists that subscribers join." },
    "blog-posts": { name: "Blog posts", description: "Drafts. The API does not publish them." },
    orders: { name: "Orders", description: "Orders, in the shape that webhooks send." },
    "openapi.json": { name: "OpenAPI document", description: "The OpenAPI description of this API." },
  },
  credential: {
    name: "apiKey",
    description: "An API key, created in the developer console: `Authorization: Bearer <API_KEY>`.",
  },
  schemas: {
    Account: accountSchema,
    Site: projectSchema,
    EventType: eventTypeSchema,
    DeliveryBody: deliveryBodySchema,
    Webhook: webhookSchema,
    CreatedWebhook: createdWebhookSchema,
    WebhookInput: webhookInputSchema,
    Contact: contactSchema,
    ContactInput: contactInputSchema,
    Subscriber: subscriberSchema,
    SubscriberInput: subscriberInputSchema,
    EmailList: emailListSchema,
    BlogPost: blogPostSchema,
    BlogPostInput: blogPostInputSchema,
    Order: orderSchema,
    Deleted: deletedSchema,
  },
  errors: describeErrors(apiErrors),
  commonCodes: ({ access, right = "any" }) =>
    access === "public"
      ? []
      : [
          "missing_api_key",
          "invalid_api_key",
          "console_token_expired",
          "rate_limited",
          "account_unavailable",
          "plan_required",
          ...(isChange(right) ? (["read_only_demo"] as const) : []),
          ...(right === "any" ? [] : (["forbidden"] as const)),
        ],
  bodyLimit: "1 MiB",
  isRateLimited: true,
};
