import type { Caller, ClientAddress, LoggedRequest } from "@hookwright/service";
import { HookwrightError } from "@hookwright/domain";
import type { WriteLogLine } from "@hookwright/domain";
import type { H3Event } from "h3";
import { readBearerToken } from "./access/bearer-token.ts";
import { checkAccount } from "./access/check-account.ts";
import { takeFromLimits } from "./access/rate-limit.ts";
import type { RateLimiters } from "./access/rate-limit.ts";
import { failure } from "./answer/answer.ts";
import type { Answer } from "./answer/answer.ts";
import type { ServedRequest } from "./answer/served-request.ts";
import type { Cors } from "./answer/cors.ts";
import { toErrorAnswer } from "./answer/error-answer.ts";
import { toResponse } from "./answer/to-response.ts";
import type { PlainResponse } from "./answer/to-response.ts";
import { withoutSecrets } from "./answer/without-secrets.ts";
import type { BodyBudget } from "./request/body-budget.ts";
import { readJsonBody } from "./request/read-json-body.ts";
import { readMountedBase, readMountedPath } from "./routing/mounted-path.ts";
import type { MatchedPath, RouteTable } from "./routing/route-table.ts";
import type { Route, RouteContext } from "./routing/route.ts";

export interface DispatchOptions {
  readonly table: RouteTable;
  readonly context: RouteContext;
  readonly basePath: string;
  readonly bodyLimitBytes: number;
  readonly hostBodyLimitBytes: number;
  readonly bodyBudget: BodyBudget;
  /** @throws HookwrightError `invalid_api_key` */
  readonly checkHostToken: (token: string) => void;
  readonly rateLimiters: RateLimiters;
  readonly cors: Cors;
  readonly readClient: (event: H3Event) => ClientAddress;
  readonly log: WriteLogLine;
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly onLogged: ((accountId: string, request: LoggedRequest) => void) | undefined;
  readonly onServed: ((request: ServedRequest) => void) | undefined;
}

const knownMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** Sign-ins and the like are never this long. */
const mostPublicLingeringBytes = 65_536;

/** What becomes known of one request while it is checked. */
interface Exchange {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** As logs may hold it. */
  path: string;
  /** The pattern of the path, once it is known. */
  route: string;
  caller: Caller | undefined;
  token: string | undefined;
  /** Whether the route needs no credentials. */
  isPublic: boolean;
  /** Headers of the answer, whatever it turns out to be. */
  headers: Record<string, string>;
}

/**
 * Serves one request. The checks come in the contract's order (§1): route, key, rate limit, suspended, plan, demo, query and
 * body, record. Whatever is thrown on the way becomes an answer here; nothing is left to h3, which would drop the headers.
 */
export function createDispatch(options: DispatchOptions): (event: H3Event) => Promise<PlainResponse> {
  const { log, now, newRequestId, onServed } = options;

  return async (event) => {
    // The service's own clock may be set meanwhile.
    const began = performance.now();
    const id = newRequestId();
    const exchange: Exchange = {
      id,
      startedAt: now(),
      path: "",
      route: "unknown",
      caller: undefined,
      token: undefined,
      isPublic: false,
      headers: { "x-request-id": id },
    };
    let answer: Answer;
    try {
      answer = await serve(options, event, exchange);
    } catch (error) {
      const told = toErrorAnswer(error);
      answer = told.answer;
      if (told.isLogged) {
        log(told.code ?? "request_failed", {
          request_id: id,
          ...(exchange.caller === undefined ? {} : { account_id: exchange.caller.accountId }),
          method: event.req.method,
          path: exchange.path,
          status: answer.status,
          error,
        });
      }
    }
    const { method } = event.req;
    const durationMs = performance.now() - began;
    tellRequestLog(options, exchange, { method, durationMs, answer });
    onServed?.({
      method: knownMethods.has(method) ? method : "other",
      route: exchange.route,
      status: answer.status,
      durationMs,
    });
    // To receive bytes only to discard them costs time, which nobody may take without credentials.
    return toResponse(
      event,
      answer,
      exchange.headers,
      exchange.isPublic ? mostPublicLingeringBytes : undefined,
    );
  };
}

async function serve(options: DispatchOptions, event: H3Event, exchange: Exchange): Promise<Answer> {
  const { table, context, cors } = options;
  const { method } = event.req;
  const path = readMountedPath(event, options.basePath);
  const basePath = (): string =>
    path === undefined ? options.basePath : readMountedBase(event, options.basePath, path);
  const found = path === undefined ? undefined : findPath(table, path, basePath);
  if (path === undefined || found === undefined) {
    return failure(404, "not_found", describeUnknown(table, basePath()));
  }
  exchange.path = withoutSecrets(path);
  const { routes, allow } = found.entry;
  exchange.route = found.entry.path;
  if (routes.get("GET")?.anyOrigin === true) {
    Object.assign(exchange.headers, cors.anyOriginHeaders);
  } else if (path.startsWith("/v1/")) {
    Object.assign(exchange.headers, cors.headersFor(event.req.headers.get("origin")));
  }
  if (method === "OPTIONS") {
    const preflight = "access-control-allow-origin" in exchange.headers ? cors.preflightHeaders(allow) : {};
    return { status: 204, body: null, headers: { allow, ...preflight } };
  }
  const route = routes.get(method === "HEAD" ? "GET" : method);
  if (route === undefined) {
    const methods = allow.replace(/, (?=\w+$)/u, " and ");
    return failure(405, "not_found", `No such endpoint: this path takes only ${methods}.`, { allow });
  }
  exchange.isPublic = route.access === "public";
  await admit(options, event, route, exchange);
  const limitBytes = bodyLimitOf(route, options);
  const memory = options.bodyBudget.open(bodyOwner(route, exchange));
  try {
    return await route.run(context, {
      caller: exchange.caller,
      token: exchange.token,
      parameter: found.parameter,
      search: event.url.search,
      header: (name) => event.req.headers.get(name),
      client: () => options.readClient(event),
      isDirect: event.runtime?.node !== undefined,
      basePath,
      readBody: (bodyOptions) => readJsonBody(event, { limitBytes, memory }, bodyOptions),
    });
  } finally {
    memory.release();
  }
}

function bodyLimitOf(
  { access, bodyLimitBytes }: Route,
  options: Pick<DispatchOptions, "bodyLimitBytes" | "hostBodyLimitBytes">,
): number {
  const limitBytes = access === "host" ? options.hostBodyLimitBytes : options.bodyLimitBytes;
  return Math.min(limitBytes, bodyLimitBytes ?? limitBytes);
}

/** Who a request body counts for. The host is trusted, and all public requests count together. */
function bodyOwner({ access }: Route, { caller }: Exchange): string | undefined {
  if (access === "host") return undefined;
  return caller === undefined ? "public" : `account ${caller.accountId}`;
}

/** The base path is a path with and without a slash. The root of a server without a base path is unknown: it may be the host's. */
function findPath(table: RouteTable, path: string, basePath: () => string): MatchedPath | undefined {
  if (path !== "" && path !== "/") return table.match(path);
  return basePath() === "" ? undefined : table.match("/");
}

/** Where those that there are can be looked up. */
function describeUnknown(table: RouteTable, basePath: string): string {
  if (table.match("/reference") !== undefined)
    return `No such endpoint. The API reference, ${basePath}/reference, shows those under /v1.`;
  if (table.match("/v1/openapi.json") !== undefined)
    return `No such endpoint. ${basePath}/v1/openapi.json lists those under /v1.`;
  return "No such endpoint. This process serves the operations routes alone.";
}

/** The checks between route and query: who is calling, and whether they may. */
async function admit(
  { context, checkHostToken, rateLimiters }: DispatchOptions,
  event: H3Event,
  route: Route,
  exchange: Exchange,
): Promise<void> {
  if (route.access === "public") return;
  const token = readBearerToken(event.req.headers.get("authorization"), route.access);
  if (route.access === "host") return checkHostToken(token);
  const caller = await context.service.authenticate(token);
  if (route.access === "console" && caller.credential.type !== "console") {
    throw new HookwrightError(
      "invalid_api_key",
      "The console takes a console token, not an API key: sign in with POST /console/api/session.",
    );
  }
  exchange.caller = caller;
  exchange.token = token;
  const { headers, refusal } = await takeFromLimits(rateLimiters, route, caller.accountId);
  Object.assign(exchange.headers, headers);
  if (refusal !== undefined) throw refusal;
  if (route.always !== true) checkAccount(caller, route);
}

interface Outcome {
  readonly method: string;
  readonly durationMs: number;
  readonly answer: Answer;
}

/** The log shows what API keys did: the console's own calls would fill it (contract §12). */
function tellRequestLog(
  { onLogged, log }: DispatchOptions,
  { id, caller, path, startedAt }: Exchange,
  { method, durationMs, answer }: Outcome,
): void {
  if (onLogged === undefined || caller?.credential.type !== "key") return;
  try {
    onLogged(caller.accountId, {
      id,
      method,
      path,
      status: answer.status,
      errorCode: answer.errorCode ?? null,
      keyName: caller.credential.name,
      durationMs: Math.round(durationMs),
      createdAt: startedAt,
    });
  } catch (error) {
    log("request_not_logged", { request_id: id, account_id: caller.accountId, error });
  }
}
