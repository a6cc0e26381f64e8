import type { ErrorCode } from "@hookwright/domain";
import type { Caller, ClientAddress, RequestLog, Service } from "@hookwright/service";
import type { z } from "zod";
import type { Answer } from "../answer/answer.ts";
import type { CacheableContent } from "../answer/cacheable-content.ts";
import type { Readiness } from "../ask-readiness.ts";
import type { Metrics } from "../metrics.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Who may call: holders of an API key or console token, holders of a console token, the host, or everybody. */
export type Access = "account" | "console" | "host" | "public";

/** What handlers work with. */
export interface RouteContext {
  readonly service: Service;
  readonly requestLog: Pick<RequestLog, "list">;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics["render"];
  /** The OpenAPI document of the routes at a base path. */
  readonly openApi: (basePath: string) => CacheableContent;
}

/** A request that has passed every check except those of its query, its body and its record. */
export interface RouteRequest {
  /** Present on routes for accounts and for the console. */
  readonly caller: Caller | undefined;
  /** The key or token of the caller. */
  readonly token: string | undefined;
  readonly parameter: (name: string) => string;
  /** From `?` on. Empty without a query. */
  readonly search: string;
  /** A header of the request, by its name in lower case. Null if it was not sent. */
  readonly header: (name: string) => string | null;
  /** By which limits of clients without credentials count. */
  readonly client: () => ClientAddress;
  /**
   * Whether the response is written directly to the connection of a Node server. A framework that gets a `Response` may compress it, or
   * drop the header that says that it is compressed, as Next does.
   */
  readonly isDirect: boolean;
  /** Where the routes are for the client. */
  readonly basePath: () => string;
  readonly readBody: (options: { readonly arrays: boolean }) => Promise<unknown>;
}

/** The description of a route. It serves requests, and the OpenAPI document is generated from it. */
export interface RouteDescription {
  readonly method: Method;
  /** Such as `/v1/orders/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** For the OpenAPI document: rules that the schemas cannot express. @default the summary */
  readonly description?: string;
  /** Works in every state of the account and with every plan, such as signing out. @default false */
  readonly always?: boolean;
  /** What the plan needs besides integrations, which every route for accounts needs. */
  readonly needs?: "crm";
  /** Whether it changes data. A demo account refuses it. @default false */
  readonly changes?: boolean;
  /** Whether it sends a delivery. Such requests also have a rate limit of their own. @default false */
  readonly sends?: boolean;
  /** The schema of the body. The use case parses it, because embedding programs call the use case too. */
  readonly body?: { readonly schema: z.ZodType; readonly arrays?: boolean };
  /** The longest body. @default the limit of the API that the route belongs to */
  readonly bodyLimitBytes?: number;
  /** `data` of each successful response. A `list` also has `meta`. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  readonly list?: boolean;
  /** Answered without the envelope. @default false */
  readonly bare?: boolean;
  /** Any origin may read the responses, errors included. @default false: only the origins in the options */
  readonly anyOrigin?: boolean;
  /** The error codes of this route, besides those of every route. */
  readonly refusals?: readonly ErrorCode[];
}

export interface Route extends RouteDescription {
  readonly access: Access;
  readonly query: z.ZodObject;
  readonly run: (context: RouteContext, request: RouteRequest) => Promise<Answer>;
}
