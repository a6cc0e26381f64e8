import type { Caller, CallerService, Service } from "@hookwright/service";
import { HookwrightError } from "@hookwright/domain";
import type { HostScope, NeededRight } from "@hookwright/domain";
import type { z } from "zod";
import type { ApiResponse } from "../response/api-response.ts";
import { parseQuery } from "../request/parse-query.ts";
import { noQuery } from "../request/query-parameters.ts";
import type {
  DocumentedRoute,
  Method,
  Route,
  RouteDocumentation,
  RouteRequest,
  RouteRules,
} from "./route.ts";

/** `"/v1/orders/{id}"` has the parameter `"id"`. */
type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never;

type Handled<Path extends string, Query, Credential> = Omit<
  RouteRequest,
  "parameter" | "caller" | "token" | "service" | "query" | "body"
> &
  Credential & {
    readonly parameter: (name: ParameterName<Path>) => string;
    readonly query: Query;
    /** Undefined on routes without a body. */
    readonly body: unknown;
  };

interface Handling<Path extends string, Query extends z.ZodObject, Credential = Open> {
  /** @default no parameter */
  readonly query?: Query;
  readonly handle: (request: Handled<Path, z.output<Query>, Credential>) => Promise<ApiResponse>;
}

interface Definition<Path extends string, Query extends z.ZodObject, Credential = Open>
  extends RouteRules, Handling<Path, Query, Credential> {}

/** A definition whose callers have rights. */
interface RightDefinition<Path extends string, Query extends z.ZodObject, Credential> extends Definition<
  Path,
  Query,
  Credential
> {
  readonly right: NeededRight;
}

/** `reads` is `few` by default. */
type OpenDefinition<Path extends string, Query extends z.ZodObject> = Omit<RouteRules, "reads"> &
  Partial<Pick<RouteRules, "reads">> &
  Handling<Path, Query>;

/** What a handler gets without a caller. */
interface Open {
  readonly service: Service;
}

interface OfConsole extends Open {
  readonly caller: Caller;
  readonly token: string;
}

/** A route that takes API keys. Its service is that of the caller, so it reaches nothing that the key does not see. */
interface OfAccount extends Omit<OfConsole, "service"> {
  readonly service: CallerService;
}

type NoQuery = typeof noQuery;

/** Defines a route under `/v1`. The caller needs an API key or a console token. */
export function defineAccountRoute<Path extends `/v1/${string}`, Query extends z.ZodObject = NoQuery>(
  method: Method,
  path: Path,
  definition: RightDefinition<Path, Query, OfAccount> & RouteDocumentation,
): DocumentedRoute {
  return { ...definition, ...define({ access: "account", method, path }, definition, expectCaller) };
}

/** Defines a route of the developer API. The caller needs an API key or a console token. */
export function defineDeveloperRoute<
  Path extends `/developer/v1/${string}`,
  Query extends z.ZodObject = NoQuery,
>(method: Method, path: Path, definition: RightDefinition<Path, Query, OfAccount>): Route {
  return define({ access: "account", method, path }, definition, expectCaller);
}

/** Defines a route of the developer console. The caller needs a console token. */
export function defineConsoleRoute<
  Path extends `/console/api/${string}`,
  Query extends z.ZodObject = NoQuery,
>(method: Method, path: Path, definition: RightDefinition<Path, Query, OfConsole>): Route {
  return define({ access: "console", method, path }, definition, expectCaller);
}

/** Defines a route that the console and the developer API both have. */
export function defineSharedRoute<Path extends `/${string}`, Query extends z.ZodObject = NoQuery>(
  method: Method,
  path: Path,
  definition: RightDefinition<Path, Query, OfAccount>,
): readonly Route[] {
  return [
    define({ access: "console", method, path: `/console/api${path}` }, definition, expectCaller),
    define({ access: "account", method, path: `/developer/v1${path}` }, definition, expectCaller),
  ];
}

/** Defines a route of the host API. It exists only if a host token is set. The token needs the scope. */
export function defineHostRoute<Path extends `/host/v1/${string}`, Query extends z.ZodObject = NoQuery>(
  method: Method,
  path: Path,
  definition: Definition<Path, Query> & RouteDocumentation & { readonly scope: HostScope },
): DocumentedRoute {
  return { ...definition, ...define({ access: "host", method, path }, definition) };
}

/** Defines a route for holders of the metrics token or of any host token. It exists only if one of them is set. */
export function defineMetricsRoute<Path extends `/${string}`, Query extends z.ZodObject = NoQuery>(
  method: Method,
  path: Path,
  definition: OpenDefinition<Path, Query>,
): Route {
  return define({ access: "metrics", method, path }, { reads: "few", ...definition });
}

/** Enough for every public route. Anybody can send such a body, so it must use little memory. */
const bodyLimitBytes = 4_096;

/** Defines a route without authentication. */
export function definePublicRoute<Path extends `/${string}`, Query extends z.ZodObject = NoQuery>(
  method: Method,
  path: Path,
  definition: OpenDefinition<Path, Query>,
): Route {
  return define({ access: "public", method, path }, { reads: "few", bodyLimitBytes, ...definition });
}

function expectCaller({ caller, token }: RouteRequest): void {
  if (caller === undefined || token === undefined)
    throw new HookwrightError("missing_api_key", "Send an API key or a console token.");
}

/** @param check throws unless the request has the credential */
function define<Path extends string, Query extends z.ZodObject, Credential extends object>(
  place: Pick<Route, "access" | "method" | "path">,
  definition: Definition<Path, Query, Credential>,
  check?: (request: RouteRequest) => void,
): Route;
function define(
  place: Pick<Route, "access" | "method" | "path">,
  { handle, query: schema = noQuery, ...rules }: Definition<string, z.ZodObject>,
  check: (request: RouteRequest) => void = () => {},
): Route {
  const defaults = parseQuery(schema, "");
  return {
    ...rules,
    ...place,
    query: schema,
    async run(request) {
      check(request);
      // Most requests have no query, so the defaults are parsed only once.
      const query = request.search === "" ? defaults : parseQuery(schema, request.search);
      const body = rules.body === undefined ? undefined : await request.readBody(rules.body);
      const { caller, service: whole } = request;
      const restricted =
        place.access === "account" && caller !== undefined ? whole.restrictTo(caller) : undefined;
      // The request is not copied: it has many fields, and is made for this call only.
      return request.context.readGate.run(rules.reads, request, () =>
        handle(Object.assign(request, { query, body, service: restricted ?? whole })),
      );
    },
  };
}
