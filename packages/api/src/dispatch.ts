import type { Caller, ClientAddress, LoggedRequest } from "@hookwright/service";
import { HookwrightError } from "@hookwright/domain";
import type { HostToken, WriteLogLine } from "@hookwright/domain";
import type { H3Event } from "h3";
import { findBearerToken, readBearerToken } from "./access/bearer-token.ts";
import type { HostTokenCheck } from "./access/host-token-check.ts";
import { toOrigin } from "./access/to-origin.ts";
import { checkAccount, maySend } from "./access/check-account.ts";
import { takeFromLimits, takeSend } from "./access/rate-limit.ts";
import type { RateLimiters } from "./routing/rate-limiter.ts";
import { failure } from "./response/api-response.ts";
import type { ApiResponse } from "./response/api-response.ts";
import type { RequestTrace, ServedRequest, TraceRequest } from "./response/served-request.ts";
import type { Cors } from "./response/cors.ts";
import { toErrorResponse } from "./response/error-response.ts";
import { toResponse } from "./response/to-response.ts";
import type { PlainResponse } from "./response/to-response.ts";
import type { BodyBudget, BodyMemory } from "./request/body-budget.ts";
import { readJsonBody } from "./request/read-json-body.ts";
import { isSpelledAs, readMountedBase, readMountedPath } from "./routing/mounted-path.ts";
import type { RouteTable } from "./routing/route-table.ts";
import type { Route, RouteContext } from "./routing/route.ts";

export interface DispatchOptions {
  readonly table: RouteTable;
  readonly context: RouteContext;
  readonly basePath: string;
  /** The URL of the routes for users, for messages. Undefined: the path of the request. */
  readonly publicUrl: string | undefined;
  readonly bodyLimitBytes: number;
  readonly hostBodyLimitBytes: number;
  readonly bodyBudget: BodyBudget;
  readonly hostTokenCheck: HostTokenCheck;
  readonly rateLimiters: RateLimiters;
  /** The headers of requests that count for no account. */
  readonly wholeLimitHeaders: Readonly<Record<string, string>>;
  readonly cors: Cors;
  readonly readClient: (event: H3Event) => ClientAddress;
  readonly log: WriteLogLine;
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly onLogged: ((accountId: string, request: LoggedRequest) => void) | undefined;
  readonly onServed: ((request: ServedRequest) => void) | undefined;
  readonly traceRequest: TraceRequest | undefined;
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

/** Matches an API key, a console token, the code or the token of a link or an invitation, or a signing secret. A letter may precede it, such as the end of `%0A`. */
const secretPattern = /(hwk_|hwc_|hwl_|hws_|hwi_)[\w.-]{8,}|(whsec_)[\w+/=%-]{8,}/gu;
/** A fast check first, because hardly any path contains a secret. */
const secretPrefix = /hwk_|hwc_|hwl_|hws_|hwi_|whsec_/u;

/** The paths of the APIs that count under the rate limit. */
const limitedPath = /^\/(?:developer\/)?v1(?:\/|$)/u;

/** Requests of public routes, such as sign-ins, are never this long. */
const publicLingeringBytes = 65_536;

/** What is known about a request so far. */
interface Exchange {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** With secrets masked, for the log. */
  path: string;
  /** The pattern of the path, or `unknown`. */
  route: string;
  caller: Caller | undefined;
  hostToken: Omit<HostToken, "token"> | undefined;
  token: string | undefined;
  /** True if the route needs no credentials. */
  isPublic: boolean;
  /** Headers of the response, success or error. */
  headers: Record<string, string>;
}

/**
 * Serves one request. The order of the checks is fixed (contract: Requests): route, key or session, rate limit, suspended,
 * plan, demo or read-only session, right, query and body, record. Every error becomes a response here: h3's own error handling would drop the headers.
 */
export function createDispatch(options: DispatchOptions): (event: H3Event) => Promise<PlainResponse> {
  const { log, now, newRequestId, onServed, traceRequest } = options;

  async function handle(event: H3Event, trace: RequestTrace | undefined): Promise<PlainResponse> {
    // The system clock may be adjusted meanwhile, so the duration uses the monotonic clock.
    const startedAtMs = performance.now();
    const id = newRequestId();
    const exchange: Exchange = {
      id,
      startedAt: now(),
      path: "",
      route: "unknown",
      caller: undefined,
      hostToken: undefined,
      token: undefined,
      isPublic: false,
      headers: { "x-request-id": id },
    };
    let response: ApiResponse;
    try {
      response = await serve(options, event, exchange);
    } catch (error) {
      const errorResponse = toErrorResponse(error);
      response = errorResponse.response;
      if (errorResponse.isLogged) {
        log(errorResponse.code ?? "request_failed", {
          request_id: id,
          ...(exchange.caller === undefined ? {} : { account_id: exchange.caller.accountId }),
          method: event.req.method,
          route: exchange.route,
          status: response.status,
          error,
        });
      }
    }
    const { method } = event.req;
    const durationMs = performance.now() - startedAtMs;
    writeRequestLog(options, exchange, { method, durationMs, response });
    const served: ServedRequest = {
      method: nameOf(method),
      route: exchange.route,
      status: response.status,
      errorCode: response.errorCode,
      durationMs,
      requestId: id,
      accountId: exchange.caller?.accountId,
    };
    onServed?.(served);
    trace?.end(served);
    // Discarding the rest of a body costs time, so a client without credentials gets less of it.
    return toResponse(
      event,
      response,
      exchange.headers,
      exchange.isPublic ? publicLingeringBytes : undefined,
    );
  }

  return (event) => {
    const trace = traceRequest?.(() => ({
      method: nameOf(event.req.method),
      path: event.url.pathname,
      scheme: event.url.protocol === "https:" ? "https" : "http",
      header: (name) => event.req.headers.get(name),
      isFromHost: () => isFromHost(options, event),
    }));
    return trace === undefined ? handle(event, undefined) : trace.run(() => handle(event, trace));
  };
}

function isFromHost({ basePath, hostTokenCheck }: DispatchOptions, event: H3Event): boolean {
  const authorization = event.req.headers.get("authorization");
  if (authorization === null || readMountedPath(event, basePath)?.startsWith("/host/v1/") !== true)
    return false;
  const token = findBearerToken(authorization);
  return token !== undefined && hostTokenCheck.isHostToken(token);
}

/** Metrics and traces must not have a method that a client invents. */
function nameOf(method: string): string {
  return knownMethods.has(method) ? method : "other";
}

async function serve(options: DispatchOptions, event: H3Event, exchange: Exchange): Promise<ApiResponse> {
  const { table, context, cors } = options;
  const { method } = event.req;
  const path = readMountedPath(event, options.basePath);
  const basePath = (): string =>
    path === undefined ? options.basePath : readMountedBase(event, options.basePath, path);
  // The base path matches with and without a slash.
  const found = path === undefined ? undefined : table.match(path === "" ? "/" : path);
  // Counting for an account overwrites them.
  if (path !== undefined && limitedPath.test(path))
    Object.assign(exchange.headers, options.wholeLimitHeaders);
  if (path === undefined || found === undefined || !isSpelledAs(event, found.entry.path)) {
    return failure(404, "not_found", describeUnknownPath(table, options.publicUrl ?? basePath()));
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
  await checkAccess(options, event, route, exchange);
  let memory: BodyMemory | undefined;
  try {
    return await route.run({
      context,
      service: context.service,
      caller: exchange.caller,
      origin: toOrigin(exchange),
      mayRead: exchange.hostToken?.scopes.includes("read") ?? true,
      party: exchange.isPublic ? publicParty(options.readClient(event)) : partyOf(exchange),
      signal: () => event.req.signal,
      token: exchange.token,
      parameter: found.parameter,
      search: event.url.search,
      header: (name) => event.req.headers.get(name),
      client: () => options.readClient(event),
      isDirect: event.runtime?.node !== undefined,
      basePath,
      readBody(bodyOptions) {
        memory ??= options.bodyBudget.open(bodyOwner(route, exchange));
        return readJsonBody(event, { limitBytes: bodyLimitOf(route, options), memory }, bodyOptions);
      },
      countSend: () => countSend(options, exchange),
      query: undefined,
      body: undefined,
    });
  } finally {
    memory?.release();
  }
}

function bodyLimitOf(
  { access, bodyLimitBytes }: Route,
  options: Pick<DispatchOptions, "bodyLimitBytes" | "hostBodyLimitBytes">,
): number {
  const limitBytes = access === "host" ? options.hostBodyLimitBytes : options.bodyLimitBytes;
  return Math.min(limitBytes, bodyLimitBytes ?? limitBytes);
}

/**
 * The client whose share of the memory a body uses. The host has no share, and all public requests have one together.
 */
function bodyOwner({ access }: Route, { caller }: Exchange): string | undefined {
  if (access === "host") return undefined;
  return caller === undefined ? "public" : `account ${caller.accountId}`;
}

/** All public requests count together as one account, and its clients take turns. */
function publicParty({ clientAddress = "" }: ClientAddress): readonly string[] {
  return ["public", clientAddress];
}

function partyOf({ caller, token, hostToken }: Exchange): readonly string[] {
  return caller === undefined
    ? ["host", hostToken?.name ?? ""]
    : [`account ${caller.accountId}`, token ?? ""];
}

/** Tells the client where the endpoints are listed. */
function describeUnknownPath(table: RouteTable, base: string): string {
  if (table.match("/reference") !== undefined)
    return `No such endpoint. The API reference at ${base}/reference shows those under /v1.`;
  if (table.match("/v1/openapi.json") !== undefined)
    return `No such endpoint. ${base}/v1/openapi.json lists those under /v1.`;
  return "No such endpoint. This process serves only the operations routes.";
}

/** The checks between route and query: authentication, rate limits and account state. */
async function checkAccess(
  { context, hostTokenCheck, rateLimiters, readClient }: DispatchOptions,
  event: H3Event,
  route: Route,
  exchange: Exchange,
): Promise<void> {
  if (route.access === "public") return;
  const token = readBearerToken(event.req.headers.get("authorization"), route.access);
  if (route.access === "host") {
    exchange.hostToken = hostTokenCheck.expectScope(token, route.scope, () => readClient(event));
    return;
  }
  if (route.access === "metrics") return hostTokenCheck.expectMetricsToken(token, () => readClient(event));
  const caller = await context.service.authenticate(token);
  if (route.access === "console" && caller.credential.type !== "console") {
    throw new HookwrightError(
      "invalid_api_key",
      "This route needs a console token, not an API key. Sign in with POST /console/api/session.",
    );
  }
  exchange.caller = caller;
  exchange.token = token;
  const { access, always, needs, right } = route;
  const sends = route.sends === true && maySend(caller, right);
  const { headers, refusal } = await takeFromLimits(rateLimiters, { access, sends }, caller.account);
  Object.assign(exchange.headers, headers);
  if (refusal !== undefined) throw refusal;
  if (always !== true) checkAccount(caller, { needs, right });
}

async function countSend({ rateLimiters }: DispatchOptions, { caller, headers }: Exchange): Promise<void> {
  if (caller === undefined) return;
  const result = await takeSend(rateLimiters, caller.account);
  for (const [name, item] of Object.entries(result.headers))
    headers[name] = headers[name] === undefined ? item : `${headers[name]}, ${item}`;
  if (result.refusal !== undefined) throw result.refusal;
}

interface Outcome {
  readonly method: string;
  readonly durationMs: number;
  readonly response: ApiResponse;
}

/** The request log shows only requests with API keys. The console's own requests would fill it (contract: The console). */
function writeRequestLog(
  { onLogged, log }: DispatchOptions,
  { id, caller, path, startedAt }: Exchange,
  { method, durationMs, response }: Outcome,
): void {
  if (onLogged === undefined || caller?.credential.type !== "key") return;
  try {
    onLogged(caller.accountId, {
      id,
      method,
      path,
      status: response.status,
      errorCode: response.errorCode ?? null,
      keyId: caller.credential.keyId,
      keyName: caller.credential.name,
      durationMs: Math.round(durationMs),
      createdAt: startedAt,
    });
  } catch (error) {
    log("request_not_logged", { request_id: id, account_id: caller.accountId, error });
  }
}

/**
 * Masks the secrets in a path for the log. Clients sometimes send a secret instead of an id by mistake.
 *
 * @example withoutSecrets("/v1/webhooks/whsec_4fGaX0Bk") // "/v1/webhooks/whsec_***"
 */
function withoutSecrets(path: string): string {
  return secretPrefix.test(path) ? path.replace(secretPattern, "$1$2***") : path;
}
