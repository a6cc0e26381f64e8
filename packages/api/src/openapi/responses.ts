import { apiErrors, isChange } from "@hookwright/domain";
import type { ErrorCode } from "@hookwright/domain";
import { onePage } from "../response/api-response.ts";
import type { DocumentedRoute } from "../routing/route.ts";
import { toExample } from "./examples.ts";
import { toSchemaOrReference } from "./schemas.ts";
import type { JsonSchema } from "./json-schema.ts";

const successDescriptions: Readonly<Record<string, string>> = { 200: "Success.", 201: "Created." };

/** Generates all responses of an operation: the successes, and the error codes of each status. */
export function toResponses(route: DocumentedRoute): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(route.answers)) {
    const data = toSchemaOrReference(schema, "output");
    responses[status] = {
      description: successDescriptions[status],
      headers: headersOf(route),
      content: {
        "application/json": {
          schema: bodySchema(route, data),
          example: bodyExample(route, toExample(schema, "output")),
        },
      },
    };
  }
  for (const [status, codes] of errorCodesOf(route))
    responses[status] = toErrorResponse(status, codes, headersOf(route));
  return responses;
}

function bodySchema({ list, bare }: DocumentedRoute, data: JsonSchema): JsonSchema {
  if (bare === true) return data;
  const content: JsonSchema =
    list === true
      ? { data: { type: "array", items: data }, meta: { $ref: "#/components/schemas/PageMeta" } }
      : { data };
  return {
    type: "object",
    required: ["success", ...Object.keys(content)],
    properties: { success: { type: "boolean", const: true }, ...content },
  };
}

function bodyExample({ list, bare }: DocumentedRoute, data: unknown): unknown {
  if (bare === true) return data;
  return list === true ? { success: true, data: [data], meta: onePage } : { success: true, data };
}

type PublicCode = keyof typeof apiErrors;

/** Groups the error codes by status: first those of the common checks in their order, then those of the operation. */
function errorCodesOf(route: DocumentedRoute): Map<string, ErrorCode[]> {
  const { access, method, path, query, right = "any", body, refusals = [] } = route;
  const byStatus = new Map<string, ErrorCode[]>();
  const add = (code: ErrorCode, status: number): void => {
    const key = String(status);
    byStatus.set(key, [...(byStatus.get(key) ?? []), code]);
  };
  const commonCodes: PublicCode[] =
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
        ];
  for (const code of commonCodes) add(code, apiErrors[code].status);
  if (body !== undefined) for (const status of [400, 413, 415]) add("validation_failed", status);
  // Every route refuses a repeated query parameter.
  add("validation_failed", 422);
  if ("cursor" in query.shape) add("invalid_cursor", 400);
  if (path.includes("{id}") && method !== "PUT") add("resource_not_found", 404);
  for (const code of refusals) if (isPublic(code)) add(code, apiErrors[code].status);
  add("not_found", 405);
  add("internal_error", 500);
  add("internal_error", 503);
  return new Map([...byStatus].sort(([left], [right]) => Number(left) - Number(right)));
}

function isPublic(code: ErrorCode): code is PublicCode {
  return Object.hasOwn(apiErrors, code);
}

const fixedDescriptions: Readonly<Record<string, string>> = {
  "400 validation_failed": "The body is not a JSON object.",
  "405 not_found": "The path exists but does not support this method. `Allow` lists the supported methods.",
  "413 validation_failed": "The body is longer than the limit of this server. The default limit is 1 MiB.",
  "415 validation_failed": "The body is not `application/json`.",
  "500 internal_error": "Something failed inside the service.",
  "503 internal_error": "The service is temporarily unavailable. `Retry-After` says when to try again.",
};

function describe(status: string, code: ErrorCode): string {
  const usual = isPublic(code) ? apiErrors[code].description : "Refused.";
  return fixedDescriptions[`${status} ${code}`] ?? usual;
}

function toErrorResponse(status: string, codes: readonly ErrorCode[], headers: object): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${describe(status, code)}`).join(" "),
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
            { value: { success: false, error: { code, message: describe(status, code) } } },
          ]),
        ),
      },
    },
  };
}

function headersOf({ access, path }: DocumentedRoute): Record<string, unknown> {
  const requestId = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
  if (access === "public" && !path.startsWith("/v1/")) return requestId;
  return {
    ...requestId,
    RateLimit: { $ref: "#/components/headers/RateLimit" },
    "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
  };
}
