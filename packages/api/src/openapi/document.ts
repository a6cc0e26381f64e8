import { errorCatalogue } from "@hookwright/domain";
import type { Route } from "../routing/route.ts";
import { toOperation } from "./operation.ts";
import { namedSchemas } from "./schemas.ts";
import { allTags } from "./tags.ts";
import { describeWebhooks } from "./webhook-descriptions.ts";

export interface OpenApiOptions {
  /** The routes that serve `/v1`: the document is made of the same table. */
  readonly routes: readonly Route[];
  /** Where they live. */
  readonly basePath: string;
  /** What one account may send. @default not told */
  readonly requestsPerMinute?: number | undefined;
}

/** The OpenAPI 3.1 description of the public API (specification §9). */
export function createOpenApiDocument({ routes, basePath, requestsPerMinute }: OpenApiOptions): object {
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
        'All requests and answers are JSON. A success is `{"success": true, "data": …}`, a refusal',
        '`{"success": false, "error": {"code": …, "message": …}}`. Rely on `code`, which never changes.',
        "",
        'An empty query parameter (`?limit=`) counts as absent. An optional field of a body that is sent empty (`null`, `""`, white space, `[]`) counts as left out.',
        "",
        "Lists answer newest first, a page at a time: pass `meta.next_cursor` as `cursor` until `meta.has_more` is false. A page has fewer than `limit` where its rows are very long.",
        "A `maxLength` is counted in UTF-16 units, as JavaScript counts: most emoji are two.",
        ...(requestsPerMinute === undefined ? [] : [describeLimit(requestsPerMinute)]),
      ].join("\n"),
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Hookwright", url: "https://github.com/hookwright/hookwright" },
    },
    servers: toServers(basePath),
    security: [{ apiKey: [] }],
    tags: allTags,
    paths,
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key, created in the developer console: `Authorization: Bearer <API_KEY>`.",
        },
      },
      headers: {
        RequestId: { description: "Names this request in logs.", schema: { type: "string" } },
        ...describeLimitHeaders(requestsPerMinute),
        RetryAfter: { description: "Whole seconds to wait.", schema: { type: "integer", minimum: 1 } },
      },
      schemas: {
        ...namedSchemas(),
        PageMeta: {
          type: "object",
          required: ["has_more", "next_cursor"],
          properties: {
            has_more: { type: "boolean", description: "Whether there is another page." },
            next_cursor: {
              type: ["string", "null"],
              description: "The `cursor` of the next page; null on the last.",
            },
          },
        },
        ErrorCode: {
          type: "string",
          description: [
            ...Object.entries(errorCatalogue).map(
              ([code, { status, description }]) => `- \`${code}\` (${status}): ${description}`,
            ),
            "- `internal_error` (500, 503): Something failed inside the service, or it is away for a moment.",
          ].join("\n"),
          enum: [...Object.keys(errorCatalogue), "internal_error"],
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
  return `An account may send ${requests} in a minute.`;
}

/** With the values that the first answer of a minute has. */
function describeLimitHeaders(requestsPerMinute: number | undefined): object {
  const schema = { type: "string" };
  if (requestsPerMinute === undefined)
    return {
      RateLimit: { description: "What is left.", schema },
      RateLimitPolicy: { description: "The limit.", schema },
    };
  return {
    RateLimit: { description: `What is left: \`"default";r=${requestsPerMinute - 1};t=60\`.`, schema },
    RateLimitPolicy: { description: `The limit: \`"default";q=${requestsPerMinute};w=60\`.`, schema },
  };
}
