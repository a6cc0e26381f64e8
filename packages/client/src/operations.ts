export interface Operation {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /**
   * Whether an attempt whose fate is unknown may be repeated. A 429 is always repeated: it is given before anything
   * is done.
   */
  readonly repeatable: boolean;
  /** Asked for without the key. @default false */
  readonly keyless?: boolean;
  /** What to do when it is unknown whether the change was made. */
  readonly whenUnknown?: string;
}

const whenUnknown = "The change may have been made; making it again does no harm.";

/** Every operation under `/v1`, by its `operationId` in the OpenAPI document. */
export const operations = {
  getAccount: { method: "GET", path: "/v1/me", repeatable: true },
  listProjects: { method: "GET", path: "/v1/projects", repeatable: true },
  listEventTypes: { method: "GET", path: "/v1/event-types", repeatable: true },
  listSamples: { method: "GET", path: "/v1/event-types/{type}/samples", repeatable: true },
  listWebhooks: { method: "GET", path: "/v1/webhooks", repeatable: true },
  // A repetition would find the webhook that the first attempt made, and answer without its secret: the caller could not
  // tell it from one of long ago, and would never know that there is a secret to be had no more.
  createWebhook: {
    method: "POST",
    path: "/v1/webhooks",
    repeatable: false,
    whenUnknown:
      "The webhook may have been created, and its signing secret was in the answer that is lost: find it with client.webhooks.list(), delete it, and create it again.",
  },
  getWebhook: { method: "GET", path: "/v1/webhooks/{id}", repeatable: true },
  deleteWebhook: { method: "DELETE", path: "/v1/webhooks/{id}", repeatable: true, whenUnknown },
  listContacts: { method: "GET", path: "/v1/contacts", repeatable: true },
  // The same values again, and tags are joined without duplicates.
  writeContact: { method: "POST", path: "/v1/contacts", repeatable: true, whenUnknown },
  getContact: { method: "GET", path: "/v1/contacts/{id}", repeatable: true },
  // Somebody known is not counted, welcomed or told of again.
  subscribe: { method: "POST", path: "/v1/subscribers", repeatable: true, whenUnknown },
  listEmailLists: { method: "GET", path: "/v1/email-lists", repeatable: true },
  createBlogPost: {
    method: "POST",
    path: "/v1/blog-posts",
    repeatable: false,
    whenUnknown:
      "The draft may have been created: look for it on the site before you send it again, which makes a second one.",
  },
  listOrders: { method: "GET", path: "/v1/orders", repeatable: true },
  getOrder: { method: "GET", path: "/v1/orders/{id}", repeatable: true },
  getOpenApiDocument: { method: "GET", path: "/v1/openapi.json", repeatable: true, keyless: true },
} as const satisfies Record<string, Operation>;
