import type { ErrorCode } from "@hookwright/domain";
import type { Caller, RequestLog, Service } from "@hookwright/service";
import type { z } from "zod";
import type { Answer } from "../answer/answer.ts";
import type { Metrics } from "../metrics.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Who may call: holders of an account's key or console token, of a console token alone, the host, everybody. */
export type Access = "account" | "console" | "host" | "public";

/** What handlers work with. */
export interface RouteContext {
  readonly service: Service;
  readonly requestLog: Pick<RequestLog, "list">;
  readonly readiness: () => Promise<boolean>;
  readonly metrics: Metrics["render"];
  /** The OpenAPI document of the routes at a base path, as JSON text. */
  readonly openApi: (basePath: string) => string;
}

/** A request that has passed every check but those of its query, its body and what it names. */
export interface RouteRequest {
  /** Present on routes for accounts and for the console. */
  readonly caller: Caller | undefined;
  /** What the caller was known by. */
  readonly token: string | undefined;
  readonly parameter: (name: string) => string;
  /** From `?` on; empty where there is none. */
  readonly search: string;
  /** A header of the request, by its name in lower case; null where it was not sent. */
  readonly header: (name: string) => string | null;
  /** The IP address at the other end of the connection, where that is known. */
  readonly peerAddress: () => string | undefined;
  /**
   * Whether the answer is written to a Node server's connection as it is. A framework that is given it as a `Response` may compress it
   * itself, or drop the headers that say it is compressed, as Next does.
   */
  readonly isDirect: boolean;
  /** Where the routes live for whoever sent the request. */
  readonly basePath: () => string;
  readonly readBody: (options: { readonly arrays: boolean }) => Promise<unknown>;
}

/** All that is known of a route: requests are served by it, and the OpenAPI document is made of it. */
export interface RouteDescription {
  readonly method: Method;
  /** Such as `/v1/orders/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** For readers of the OpenAPI document: rules that the schemas cannot tell. @default the summary */
  readonly description?: string;
  /** Works whatever the account's state and plan: who cannot sign out is not safe. @default false */
  readonly always?: boolean;
  /** Beyond integrations, which every route for accounts needs. */
  readonly needs?: "crm";
  /** Whether it changes anything: refused on a demo account. @default false */
  readonly changes?: boolean;
  /** What the body has to look like. The use case parses it, since an embedding program calls that as well. */
  readonly body?: { readonly schema: z.ZodType; readonly arrays?: boolean };
  /** `data` of each success; `list` answers have `meta` beside it. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  readonly list?: boolean;
  /** Answered without the envelope. @default false */
  readonly bare?: boolean;
  /** Any origin may read what is answered, refusals included. @default false: those that the options name */
  readonly anyOrigin?: boolean;
  /** The codes that are its own, beyond those of the edge. */
  readonly refusals?: readonly ErrorCode[];
}

export interface Route extends RouteDescription {
  readonly access: Access;
  readonly query: z.ZodObject;
  readonly run: (context: RouteContext, request: RouteRequest) => Promise<Answer>;
}
