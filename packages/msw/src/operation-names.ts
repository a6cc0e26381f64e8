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

const patterns = operationNames.map((name) => {
  const [method, path = ""] = name.split(" ", 2);
  const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return { name, method, pattern };
});

/** Returns the operation of a percent-encoded path, or `undefined`. */
export function findOperation(method: string, path: string): OperationName | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  return patterns.find((each) => each.method === wanted && each.pattern.test(path))?.name;
}
