import type { Caller } from "@hookwright/service";
import { HookwrightError } from "@hookwright/domain";
import type { HostScope } from "@hookwright/domain";
import type { z } from "zod";
import type { ApiResponse } from "../response/api-response.ts";
import { parseQuery } from "../request/parse-query.ts";
import type { Access, Route, RouteContext, RouteDescription, RouteRequest } from "./route.ts";

/** `"/v1/orders/{id}"` has the parameter `"id"`. */
type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never;

interface Handled<Path extends string, Query>
  extends
    RouteContext,
    Pick<RouteRequest, "client" | "isDirect" | "header" | "basePath" | "origin" | "mayRead"> {
  readonly parameter: (name: ParameterName<Path>) => string;
  readonly query: Query;
  /** Undefined on routes without a body. */
  readonly body: unknown;
}

interface Definition<Path extends string, Query extends z.ZodObject, Extra> extends RouteDescription {
  readonly path: Path;
  readonly query: Query;
  readonly handle: (request: Handled<Path, z.output<Query>> & Extra) => Promise<ApiResponse>;
}

/** The definition of a route that belongs to no account. It never reads more than a few rows. */
type OpenDefinition<Path extends string, Query extends z.ZodObject> = Omit<
  Definition<Path, Query, object>,
  "reads"
>;

/** Defines a route under `/v1`. The caller needs an API key. */
export function defineAccountRoute<Path extends `/v1/${string}`, Query extends z.ZodObject>(
  definition: Definition<Path, Query, { readonly caller: Caller }>,
): Route {
  return define("account", definition, ({ caller }) => {
    if (caller === undefined) throw new HookwrightError("missing_api_key", "Send an API key.");
    return { caller };
  });
}

/** Defines a route of the developer API. The caller needs an API key or a console token. */
export function defineDeveloperRoute<Path extends `/developer/v1/${string}`, Query extends z.ZodObject>(
  definition: Definition<Path, Query, { readonly caller: Caller; readonly token: string }>,
): Route {
  return define("account", definition, expectCaller);
}

function expectCaller({ caller, token }: RouteRequest): { readonly caller: Caller; readonly token: string } {
  if (caller === undefined || token === undefined)
    throw new HookwrightError("missing_api_key", "Send an API key or a console token.");
  return { caller, token };
}

/** Defines a route of the developer console. The caller needs a console token. */
export function defineConsoleRoute<Path extends `/console/api/${string}`, Query extends z.ZodObject>(
  definition: Definition<Path, Query, { readonly caller: Caller; readonly token: string }>,
): Route {
  return define("console", definition, ({ caller, token }) => {
    if (caller === undefined || token === undefined)
      throw new HookwrightError("missing_api_key", "Send a console token.");
    return { caller, token };
  });
}

/** Defines a route of the host API. It exists only if a host token is set. The token needs the scope. */
export function defineHostRoute<Path extends `/host/v1/${string}`, Query extends z.ZodObject>(
  definition: Definition<Path, Query, object> & { readonly scope: HostScope },
): Route {
  return define("host", definition, () => ({}));
}

/** Defines a route for holders of the metrics token or of any host token. It exists only if one of them is set. */
export function defineMetricsRoute<Path extends `/${string}`, Query extends z.ZodObject>(
  definition: OpenDefinition<Path, Query>,
): Route {
  return define("metrics", { reads: "few", ...definition }, () => ({}));
}

/** Enough for every public route. Anybody can send such a body, so it must use little memory. */
const publicBodyLimitBytes = 4_096;

/** Defines a route without authentication. */
export function definePublicRoute<Path extends `/${string}`, Query extends z.ZodObject>(
  definition: OpenDefinition<Path, Query>,
): Route {
  return define("public", { reads: "few", bodyLimitBytes: publicBodyLimitBytes, ...definition }, () => ({}));
}

function define<Path extends string, Query extends z.ZodObject, Extra>(
  access: Access,
  { handle, ...description }: Definition<Path, Query, Extra>,
  extraOf: (request: RouteRequest) => Extra,
): Route {
  const { query: schema, body: expected } = description;
  const defaults = parseQuery(schema, "");
  return {
    ...description,
    access,
    async run(context, request) {
      const extra = extraOf(request);
      // Most requests have no query, so the defaults are parsed only once.
      const query = request.search === "" ? defaults : parseQuery(schema, request.search);
      const body =
        expected === undefined
          ? undefined
          : await request.readBody({
              arrays: expected.arrays ?? false,
              optional: expected.optional ?? false,
            });
      const { parameter, client, isDirect, header, basePath, origin, mayRead } = request;
      return context.readGate.run(description.reads, request, () =>
        handle({
          ...context,
          ...extra,
          parameter,
          query,
          body,
          client,
          isDirect,
          header,
          basePath,
          origin,
          mayRead,
        }),
      );
    },
  };
}
