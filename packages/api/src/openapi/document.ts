import { apiErrors, errorCatalogue } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { DocumentedRoute } from "../routing/route.ts";
import { toOperation } from "./operation.ts";
import { namedSchemas } from "./schemas.ts";
import { allTags } from "./tags.ts";
import { describeWebhooks } from "./webhook-descriptions.ts";

export interface OpenApiOptions {
  /** The routes that serve `/v1`. The document is generated from them. */
  readonly routes: readonly DocumentedRoute[];
  /** The known events, which are listed under `webhooks`. */
  readonly events: EventRegistry;
  /** The path below which the routes are served, or their whole URL. */
  readonly basePath: string;
  /** The number of requests that one account may send. @default not in the document */
  readonly requestsPerMinute?: number | undefined;
}

/** The OpenAPI 3.1 description of the public API. */
export function createOpenApiDocument({
  routes,
  events,
  basePath,
  requestsPerMinute,
}: OpenApiOptions): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = toOperation(route);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Integration API",
      version: "1",
      summary: "Contacts, subscribers, blog drafts, orders and signed webhooks of a site builder.",
      description: [
        'All requests and responses are JSON. A success is `{"success": true, "data": …}`, an error is',
        '`{"success": false, "error": {"code": …, "message": …}}`. Rely on `code`, which never changes.',
        "",
        'An empty query parameter (`?limit=`) counts as absent. An optional body field that is sent empty (`null`, `""`, white space, `[]`) counts as left out.',
        "",
        "Lists are sorted newest first and paginated: pass `meta.next_cursor` as `cursor` until `meta.has_more` is false. A page may have fewer than `limit` rows if the rows are very long.",
        "`maxLength` counts UTF-16 code units, as JavaScript does. Most emoji count as two.",
        ...(requestsPerMinute === undefined ? [] : [describeLimit(requestsPerMinute)]),
      ].join("\n"),
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Hookwright", url: "https://github.com/hookwright/hookwright" },
    },
    servers: toServers(basePath),
    security: [{ apiKey: [] }],
    tags: allTags,
    paths,
    webhooks: describeWebhooks(events),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key, created in the developer console: `Authorization: Bearer <API_KEY>`.",
        },
      },
      headers: {
        RequestId: { description: "Identifies this request in logs.", schema: { type: "string" } },
        ...describeLimitHeaders(requestsPerMinute),
        RetryAfter: {
          description: "Seconds to wait, as a whole number.",
          schema: { type: "integer", minimum: 1 },
        },
      },
      schemas: {
        ...namedSchemas(events.names),
        PageMeta: {
          type: "object",
          required: ["has_more", "next_cursor"],
          properties: {
            has_more: { type: "boolean", description: "True if there is another page." },
            next_cursor: {
              type: ["string", "null"],
              description: "The `cursor` of the next page. Null on the last page.",
            },
          },
        },
        ErrorCode: {
          type: "string",
          description: [
            ...Object.entries({ ...errorCatalogue, forbidden: apiErrors.forbidden }).map(
              ([code, { status, description }]) => `- \`${code}\` (${status}): ${description}`,
            ),
            "- `internal_error` (500, 503): Something failed inside the service, or it is temporarily unavailable.",
          ].join("\n"),
          enum: Object.keys(apiErrors),
        },
      },
    },
  };
}

export function toServers(basePath: string): object[] {
  return [{ url: basePath === "" ? "/" : basePath, description: "This server." }];
}

function describeLimit(requestsPerMinute: number): string {
  const requests = requestsPerMinute === 1 ? "1 request" : `${requestsPerMinute} requests`;
  return `An account may send ${requests} per minute.`;
}

/** The examples have the values of the first response of a minute. */
function describeLimitHeaders(requestsPerMinute: number | undefined): object {
  const schema = { type: "string" };
  if (requestsPerMinute === undefined)
    return {
      RateLimit: { description: "The remaining requests.", schema },
      RateLimitPolicy: { description: "The limit.", schema },
    };
  return {
    RateLimit: {
      description: `The remaining requests: \`"default";r=${requestsPerMinute - 1};t=60\`.`,
      schema,
    },
    RateLimitPolicy: { description: `The limit: \`"default";q=${requestsPerMinute};w=60\`.`, schema },
  };
}
