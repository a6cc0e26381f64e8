import type { DeliveryRules, ErrorCode, HostAccount, HostScope, NeededRight } from "@hookwright/domain";
import type { Caller, ClientAddress, ChangeOrigin, RequestLog, Service } from "@hookwright/service";
import type { z } from "zod";
import type { RateLimiter } from "./rate-limiter.ts";
import type { ReadGate, Reads, WaitingRequest } from "./read-gate.ts";
import type { JsonBodyOptions } from "../request/parse-json-body.ts";
import type { ApiResponse } from "../response/api-response.ts";
import type { CacheableContent } from "../response/cacheable-content.ts";
import type { Readiness } from "../check-readiness.ts";
import type { Metrics } from "../metrics.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The callers of a route: with an API key or console token, with a console token, with a host token, with a metrics or
 * host token, or everybody.
 */
export type Access = "account" | "console" | "host" | "metrics" | "public";

/** The dependencies of the handlers. */
export interface RouteContext {
  readonly service: Service;
  readonly requestLog: Pick<RequestLog, "count" | "list">;
  readonly readGate: ReadGate;
  /** The rate limit of an account. Undefined: none. */
  readonly rateLimit: RateLimiter | undefined;
  /** The limits, the retention and the rules of deliveries of an account that has none of its own. */
  readonly defaults: Pick<HostAccount, "limits" | "retention"> & { readonly delivery: DeliveryRules };
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics["render"];
  /** The OpenAPI document of `/v1` at a base path. */
  readonly openApi: (basePath: string) => CacheableContent;
  /** That of the host API. */
  readonly hostOpenApi: (basePath: string) => CacheableContent;
  /** The URL below which the public sees the routes, if it is set. */
  readonly publicUrl: string | undefined;
}

/** A request that passed all checks except those of query, body and record, and what its handler depends on. */
export interface RouteRequest extends WaitingRequest {
  readonly context: Omit<RouteContext, "service">;
  /** The whole service. A route that takes API keys replaces it by that of the caller. */
  readonly service: Service;
  /** Present on routes for accounts and for the console. */
  readonly caller: Caller | undefined;
  /** Who makes the request, for the audit log. */
  readonly origin: ChangeOrigin;
  /** False for a host token without the scope `read`. */
  readonly mayRead: boolean;
  /** The key or token of the caller. */
  readonly token: string | undefined;
  readonly parameter: (name: string) => string;
  /** The URL from `?` on. Empty without a query. */
  readonly search: string;
  /** A header of the request, by its name in lower case. Null if it was not sent. */
  readonly header: (name: string) => string | null;
  /** The address that the limits for clients without credentials use. */
  readonly client: () => ClientAddress;
  /**
   * True if the response is written directly to the connection of a Node server. A framework that gets a `Response` may
   * compress it, or drop its `Content-Encoding` header, as Next does.
   */
  readonly isDirect: boolean;
  /** The path below which the client sees the routes. */
  readonly basePath: () => string;
  readonly readBody: (options: JsonBodyOptions) => Promise<unknown>;
  /**
   * Counts the request as one that sends, at a route whose body decides it.
   *
   * @throws HookwrightError `rate_limited`
   */
  readonly countSend: () => Promise<void>;
  /** Undefined until the route has parsed them. They are here so that the object keeps its shape. */
  readonly query: unknown;
  readonly body: unknown;
}

/** What serves requests at a route. */
export interface RouteRules {
  /** True if the route works in every account state and with every plan, such as signing out. @default false */
  readonly always?: boolean;
  /** The rows that a request may read at most. It decides how many requests of an account run at once. */
  readonly reads: Reads;
  /** The scope that a host token needs for the route. */
  readonly scope?: HostScope;
  /** The plan feature that the route needs. Every account route also needs integrations. */
  readonly needs?: "crm" | undefined;
  /** What a key or a session needs for the route. If reading is not enough, a demo account and a read-only session may not use it. */
  readonly right?: NeededRight;
  /** True if the route sends a delivery. Such requests have an additional rate limit. @default false */
  readonly sends?: boolean;
  /** The schema of the body. The use case parses it, because embedding programs call the use case directly. */
  readonly body?: { readonly schema: z.ZodType; readonly arrays?: boolean; readonly optional?: boolean };
  /** The maximum size of a body. @default the limit of the route's API */
  readonly bodyLimitBytes?: number;
  /** True if any origin may read the responses, including errors. @default false: only the origins in the options */
  readonly anyOrigin?: boolean;
}

/** What an OpenAPI document says about a route, besides its rules. */
export interface RouteDocumentation {
  readonly operationId: string;
  readonly summary: string;
  /** Rules that the schemas cannot express. @default the summary */
  readonly description?: string;
  /** The schema of `data` for each success status. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /** True if `data` is an array of these. @default false */
  readonly list?: boolean;
  /** Whether the response has `meta`. @default true for a list */
  readonly paged?: boolean;
  /** Of a response by `writtenSuccess`: the field of the object that is in the path, or null if none is. */
  readonly written?: "id" | "email" | null;
  /** True if the response has no envelope. @default false */
  readonly bare?: boolean;
  /** The media types of a success. @default JSON */
  readonly mediaTypes?: readonly string[];
  /** The error codes of this route, besides the common ones and those that its path and its query imply. */
  readonly refusals?: readonly ErrorCode[];
}

export interface Route extends RouteRules {
  readonly method: Method;
  /** Such as `/v1/orders/{id}`. */
  readonly path: string;
  readonly access: Access;
  readonly query: z.ZodObject;
  readonly run: (request: RouteRequest) => Promise<ApiResponse>;
}

export type DocumentedRoute = Route & RouteDocumentation;
