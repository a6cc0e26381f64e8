import { allErrors } from "@hookwright/domain";
import type { ErrorCode, EventRegistry } from "@hookwright/domain";
import { onePage } from "../response/api-response.ts";
import type { DocumentedRoute } from "../routing/route.ts";
import type { DescribedApi } from "./described-api.ts";
import { toExample } from "./examples.ts";
import type { JsonSchema } from "./json-schema.ts";
import { onlySentOf, toSchemaOrReference } from "./schemas.ts";

const successDescriptions: Readonly<Record<string, string>> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted. It runs in the background.",
};

/** Generates all responses of an operation: the successes, and the error codes of each status. */
export function toResponses(
  route: DocumentedRoute,
  api: DescribedApi,
  events: EventRegistry,
): Record<string, unknown> {
  const { operationId, method, path, answers, written, mediaTypes = ["application/json"] } = route;
  const headers = headersOf(api, route);
  const responses: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(answers)) {
    const description = successDescriptions[status];
    if (description === undefined)
      throw new Error(`${method} ${path} answers ${status}. Describe this status in openapi/responses.ts.`);
    const whole = toSchemaOrReference(schema, "output", api);
    const data =
      written === undefined || status !== "200" ? whole : { anyOf: [whole, onlySentOf(schema, written)] };
    const content = {
      schema: bodySchema(route, data),
      example: bodyExample(route, toExample(schema, "output", { name: operationId, events })),
    };
    responses[status] = {
      description,
      headers,
      content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, content])),
    };
  }
  for (const [status, codes] of errorCodesOf(route, api))
    responses[status] = toErrorResponse(status, codes, { api, headers });
  return responses;
}

function bodySchema({ list, paged = list, bare }: DocumentedRoute, data: JsonSchema): JsonSchema {
  if (bare === true) return data;
  const content: JsonSchema = {
    data: list === true ? { type: "array", items: data } : data,
    ...(paged === true ? { meta: { $ref: "#/components/schemas/PageMeta" } } : {}),
  };
  return {
    type: "object",
    required: ["success", ...Object.keys(content)],
    properties: { success: { type: "boolean", const: true }, ...content },
  };
}

function bodyExample({ list, paged = list, bare }: DocumentedRoute, data: unknown): unknown {
  if (bare === true) return data;
  const meta = paged === true ? { meta: onePage } : {};
  return { success: true, data: list === true ? [data] : data, ...meta };
}

/** Groups the error codes by status: first those of the common checks in their order, then those of the operation. */
function errorCodesOf(route: DocumentedRoute, api: DescribedApi): Map<string, ErrorCode[]> {
  const { method, path, query, body, refusals = [] } = route;
  const byStatus = new Map<string, ErrorCode[]>();
  const add = (code: ErrorCode, { status }: { readonly status: number } = allErrors[code]): void => {
    if (api.errors[code] === undefined)
      throw new Error(`${method} ${path} refuses with ${code}, which the "${api.title}" does not describe.`);
    const key = String(status);
    byStatus.set(key, [...new Set(byStatus.get(key)).add(code)]);
  };
  for (const code of api.commonCodes(route)) add(code);
  if (body !== undefined) for (const status of [400, 413, 415]) add("validation_failed", { status });
  // Every route refuses a repeated query parameter.
  add("validation_failed");
  if ("cursor" in query.shape) add("invalid_cursor");
  if (path.includes("{id}") && method !== "PUT") add("resource_not_found");
  for (const code of refusals) add(code);
  add("not_found", { status: 405 });
  add("internal_error");
  add("internal_error", { status: 503 });
  return new Map([...byStatus].sort(([left], [right]) => Number(left) - Number(right)));
}

const fixedDescriptions: Readonly<Record<string, string>> = {
  "400 validation_failed": "The body is not a JSON object.",
  "405 not_found": "The path exists but does not support this method. `Allow` lists the supported methods.",
  "415 validation_failed": "The body is not `application/json`.",
  "500 internal_error": "Something failed inside the service.",
  "503 internal_error": "The service is temporarily unavailable. `Retry-After` says when to try again.",
};

function describe(status: string, code: ErrorCode, { errors, bodyLimit }: DescribedApi): string {
  if (status === "413")
    return `The body is longer than the limit of this server. The default limit is ${bodyLimit}.`;
  return fixedDescriptions[`${status} ${code}`] ?? errors[code] ?? "Refused.";
}

function toErrorResponse(
  status: string,
  codes: readonly ErrorCode[],
  { api, headers }: { readonly api: DescribedApi; readonly headers: object },
): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${describe(status, code, api)}`).join(" "),
    headers: {
      ...headers,
      ...(status === "429" || status === "503"
        ? { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }
        : {}),
    },
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["success", "error"],
          properties: {
            success: { type: "boolean", const: false },
            error: {
              type: "object",
              required: ["code", "message"],
              properties: {
                code: { $ref: "#/components/schemas/ErrorCode", enum: codes },
                message: { type: "string", description: "A text for people. The wording may change." },
              },
            },
          },
        },
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            { value: { success: false, error: { code, message: describe(status, code, api) } } },
          ]),
        ),
      },
    },
  };
}

function headersOf(
  { isRateLimited }: DescribedApi,
  { access, path }: DocumentedRoute,
): Record<string, unknown> {
  const requestId = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
  if (!isRateLimited || (access === "public" && !path.startsWith("/v1/"))) return requestId;
  return {
    ...requestId,
    RateLimit: { $ref: "#/components/headers/RateLimit" },
    "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
  };
}
