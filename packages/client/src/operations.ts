export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /**
   * Whether an attempt with an unknown outcome may be repeated. A 429 is always repeated, because nothing was
   * done.
   */
  readonly repeatable: boolean;
  /** Sent without the key. @default false */
  readonly keyless?: boolean;
  /** The response is a file, not JSON. @default false */
  readonly isFile?: boolean;
  /** What to do if the outcome of the change is unknown. */
  readonly whenUnknown?: string;
}

export const whenUnknown = "The outcome of the change is unknown. It is safe to repeat it.";

/** Every operation under `/v1`, by its `operationId` in the OpenAPI document. */
export const operations = {
  getAccount: { method: "GET", path: "/v1/me", repeatable: true },
  listProjects: { method: "GET", path: "/v1/projects", repeatable: true },
  listEventTypes: { method: "GET", path: "/v1/event-types", repeatable: true },
  listSamples: { method: "GET", path: "/v1/event-types/{type}/samples", repeatable: true },
  listWebhooks: { method: "GET", path: "/v1/webhooks", repeatable: true },
  // A repetition would return the webhook of the first attempt without its secret, and the caller could not
  // notice that.
  createWebhook: {
    method: "POST",
    path: "/v1/webhooks",
    repeatable: false,
    whenUnknown:
      "The webhook may have been created, but its signing secret is lost. Find it with client.webhooks.list(), delete it, and create it again.",
  },
  getWebhook: { method: "GET", path: "/v1/webhooks/{id}", repeatable: true },
  deleteWebhook: { method: "DELETE", path: "/v1/webhooks/{id}", repeatable: true, whenUnknown },
  listContacts: { method: "GET", path: "/v1/contacts", repeatable: true },
  // Repeating it sets the same values and adds no duplicate tags.
  writeContact: { method: "POST", path: "/v1/contacts", repeatable: true, whenUnknown },
  getContact: { method: "GET", path: "/v1/contacts/{id}", repeatable: true },
  // A repetition does not count, welcome or notify of the person again.
  subscribe: { method: "POST", path: "/v1/subscribers", repeatable: true, whenUnknown },
  listEmailLists: { method: "GET", path: "/v1/email-lists", repeatable: true },
  createBlogPost: {
    method: "POST",
    path: "/v1/blog-posts",
    repeatable: false,
    whenUnknown:
      "The draft may have been created. Look for it on the site before you repeat the call, which would create a second one.",
  },
  listOrders: { method: "GET", path: "/v1/orders", repeatable: true },
  getOrder: { method: "GET", path: "/v1/orders/{id}", repeatable: true },
  getOpenApiDocument: { method: "GET", path: "/v1/openapi.json", repeatable: true, keyless: true },
} as const satisfies Record<string, Operation>;
