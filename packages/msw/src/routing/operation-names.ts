/** The 17 operations of the API, for `mockApi().failNext(…, { on })` and `mockApi().requests`. */
export const operationNames = [
  "GET /v1/me",
  "GET /v1/projects",
  "GET /v1/event-types",
  "GET /v1/event-types/{type}/samples",
  "GET /v1/webhooks",
  "POST /v1/webhooks",
  "GET /v1/webhooks/{id}",
  "DELETE /v1/webhooks/{id}",
  "GET /v1/contacts",
  "POST /v1/contacts",
  "GET /v1/contacts/{id}",
  "POST /v1/subscribers",
  "GET /v1/email-lists",
  "POST /v1/blog-posts",
  "GET /v1/orders",
  "GET /v1/orders/{id}",
  "GET /v1/openapi.json",
] as const;
export type OperationName = (typeof operationNames)[number];
