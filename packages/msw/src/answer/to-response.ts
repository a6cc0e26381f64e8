import type { HookwrightError } from "@hookwright/domain";
import type { Success } from "../routing/operation.ts";

/** The headers of every response of the service. */
const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export interface ResponseFacts {
  /** The method of the request. A HEAD request gets only headers. */
  readonly method: string;
  /** The value of `X-Request-Id`. */
  readonly requestId: string;
  /** Whether pages of any origin may read it. */
  readonly anyOrigin: boolean;
}

const anyOriginHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After",
};

/** Returns the additional headers of a preflight response. */
export function preflightHeaders(allow: string): Readonly<Record<string, string>> {
  return {
    "access-control-allow-methods": allow,
    "access-control-allow-headers": "Authorization, Content-Type",
    "access-control-max-age": "600",
  };
}

/** Status, body and headers of a response. `null` means no body. */
export interface Answer {
  readonly status: number;
  readonly body: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export function toSuccess({ data, created = false, meta }: Success): Answer {
  const envelope = meta === undefined ? { success: true, data } : { success: true, data, meta };
  return { status: created ? 201 : 200, body: JSON.stringify(envelope) };
}

export function toFailure(
  { status, code, message, retryAfterSeconds }: Omit<HookwrightError, "name">,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    body: JSON.stringify({ success: false, error: { code, message } }),
    headers: {
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...(retryAfterSeconds === undefined
        ? {}
        : { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
      ...headers,
    },
  };
}

export function toResponse(
  { status, body, headers }: Answer,
  { method, requestId, anyOrigin }: ResponseFacts,
): Response {
  const sent = {
    ...(body === null ? {} : { "content-type": "application/json" }),
    ...commonHeaders,
    "x-request-id": requestId,
    ...(anyOrigin ? anyOriginHeaders : {}),
    ...headers,
  };
  // Like the service, sends the length if there is no body, or if the connection ends after it.
  if (body === null || (method !== "HEAD" && status !== 413))
    return new Response(body, { status, headers: sent });
  const length = String(new TextEncoder().encode(body).byteLength);
  const shown = method === "HEAD" ? null : body;
  return new Response(shown, { status, headers: { ...sent, "content-length": length } });
}
