import { allErrors, isEventName } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { DocumentedRoute } from "../routing/route.ts";
import { tagOf } from "./described-api.ts";
import type { DescribedApi } from "./described-api.ts";
import { toOperation } from "./operation.ts";
import { namedSchemas } from "./schemas.ts";
import { describeWebhooks } from "./webhook-descriptions.ts";
import type { Wire } from "./webhook-descriptions.ts";

export interface OpenApiOptions {
  readonly api: DescribedApi;
  /** The routes of the API. The document is generated from them. */
  readonly routes: readonly DocumentedRoute[];
  /** The known events. */
  readonly events: EventRegistry;
  /** Whether the known events are listed under `webhooks`. @default false */
  readonly hasWebhooks?: boolean | undefined;
  /** What they have in common. @default as in the specification */
  readonly wire?: Wire | undefined;
  /** The path below which the routes are served, or their whole URL. */
  readonly basePath: string;
  /** The number of requests that one account may send. @default not in the document */
  readonly requestsPerMinute?: number | undefined;
}

/** The OpenAPI 3.1 description of an API. */
export function createOpenApiDocument({
  api,
  routes,
  events,
  hasWebhooks = false,
  wire,
  basePath,
  requestsPerMinute,
}: OpenApiOptions): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const operation = toOperation(route, api, events);
    (paths[route.path] ??= {})[route.method.toLowerCase()] = withKnownEvents(operation, events);
  }
  const used = new Set(routes.map(({ path }) => tagOf(path, api)));
  const { title, summary, credential } = api;
  return {
    openapi: "3.1.1",
    info: {
      title,
      version: "1",
      summary,
      description: [
        'All requests and responses are JSON. A success is `{"success": true, "data": …}`, an error is',
        '`{"success": false, "error": {"code": …, "message": …}}`. Rely on `code`, which never changes.',
        "",
        'An empty query parameter (`?limit=`) counts as absent. An optional body field that is sent empty (`null`, `""`, white space, `[]`) counts as left out.',
        "",
        ...api.description,
        "`maxLength` counts UTF-16 code units, as JavaScript does. Most emoji count as two.",
        ...(requestsPerMinute === undefined ? [] : [describeLimit(requestsPerMinute)]),
      ].join("\n"),
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Hookwright", url: "https://github.com/hookwright/hookwright" },
    },
    servers: toServers(basePath),
    security: [{ [credential.name]: [] }],
    tags: [...new Set(Object.values(api.tags))].filter((tag) => used.has(tag)),
    paths,
    ...(hasWebhooks ? { webhooks: describeWebhooks(events, wire) } : {}),
    components: {
      securitySchemes: {
        [credential.name]: { type: "http", scheme: "bearer", description: credential.description },
      },
      headers: {
        RequestId: { description: "Identifies this request in logs.", schema: { type: "string" } },
        ...(api.isRateLimited ? describeLimitHeaders(requestsPerMinute) : {}),
        RetryAfter: {
          description: "Seconds to wait, as a whole number.",
          schema: { type: "integer", minimum: 1 },
        },
      },
      schemas: {
        ...namedSchemas(api, events.names),
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
          description: Object.entries(api.errors)
            .map(([code, description]) => `- \`${code}\` (${statusesOf(code)}): ${description}`)
            .join("\n"),
          enum: Object.keys(api.errors),
        },
      },
    },
  };
}

function statusesOf(code: string): string {
  const usual = new Map<string, { readonly status: number }>(Object.entries(allErrors)).get(code)?.status;
  return code === "internal_error" ? `${usual}, 503` : String(usual);
}

/** The examples of a request name no event that is switched off, so that it can be tried as it is. */
function withKnownEvents(operation: object, { names }: EventRegistry): object {
  const [first] = names;
  if (first === undefined) return operation;
  const replace = (_: string, value: unknown): unknown => {
    // Two names may have become the same.
    if (Array.isArray(value)) return value.includes(first) ? [...new Set<unknown>(value)] : value;
    return typeof value === "string" && isEventName(value) && !names.includes(value) ? first : value;
  };
  const asked = Object.entries(operation).filter(([part]) => part === "parameters" || part === "requestBody");
  return { ...operation, ...JSON.parse(JSON.stringify(Object.fromEntries(asked)), replace) };
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
