import { randomBytes as systemRandomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  createIdSource,
  createLogWriter,
  defaultAccountRetention,
  defaultDeliveryRules,
  logLines,
  maximumApiKeys,
  maximumWebhooks,
  parsePublicUrl,
  specificationEvents,
} from "@hookwright/domain";
import { H3 } from "h3";
import { ApiError } from "./api-error.ts";
import { createHostTokenCheck, readHostTokens } from "./access/host-token-check.ts";
import { describeWholeLimit } from "./access/rate-limit.ts";
import { createCors } from "./response/cors.ts";
import { createDispatch } from "./dispatch.ts";
import { createNodeHandler } from "./node-handler.ts";
import type { ApiOptions } from "./options.ts";
import { checkReadiness } from "./check-readiness.ts";
import { createDocumentText } from "./openapi/document-text.ts";
import { hostApi } from "./openapi/host-api.ts";
import { publicApi } from "./openapi/public-api.ts";
import { createClientReader } from "./request/client-address.ts";
import { createBodyBudget } from "./request/body-budget.ts";
import { hostApiRoutes, publicApiRoutes, selectRoutes } from "./routes/select-routes.ts";
import { parseBasePath } from "./routing/mounted-path.ts";
import { createReadGate } from "./routing/read-gate.ts";
import { createRouteTable } from "./routing/route-table.ts";
import { createUnreadableRequests } from "./unreadable-requests.ts";

/**
 * The parts of an h3 app that another app or a test uses. The type does not refer to h3's own types, which compile only
 * with `skipLibCheck`.
 */
export interface MountableApp {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Handles a request without a server, for tests. */
  readonly request: (input: Request | URL | string, options?: RequestInit) => Response | Promise<Response>;
}

export interface Api {
  /**
   * The h3 app, to mount in another h3 app. Add your own routes and middleware to that app: this one serves only the API, and does not
   * run those that are added to it, unless it is mounted afterwards.
   */
  readonly app: MountableApp;
  /**
   * For servers that use `Request` and `Response`. It rejects only if the argument is not a `Request`, with a
   * `TypeError`.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For Node's `http.createServer`, Express and others that take `(request, response)`. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Listens to the `clientError` event of a Node server that serves only this API. Malformed or late requests then get
   * the error envelope instead of a bare status.
   *
   * @example server.on("clientError", api.answerClientError);
   */
  readonly answerClientError: (error: Error, socket: Duplex) => void;
}

const mebibyte = 2 ** 20;

const noRequests: NonNullable<ApiOptions["requestLog"]> = {
  list: async () => ({ rows: [], meta: { has_more: false, next_cursor: null } }),
  count: async () => ({ all: 0, ok: 0, client_error: 0, server_error: 0, rate_limited: 0 }),
};

/**
 * Creates the HTTP API of a service: `/v1`, the host API, the console API and the operations routes.
 *
 * @throws ApiError `invalid_base_path`, `invalid_host_token`, `invalid_public_url`
 * @example
 * const api = createApi({ service, logger: console, now: Date.now, hostToken: process.env.HOOKWRIGHT_HOST_TOKEN });
 * createServer(api.handler).listen(3000);
 */
export function createApi(options: ApiOptions): Api {
  const { service, now, randomBytes = systemRandomBytes } = options;
  const { readiness = async () => ({ ready: true }), rateLimiters = {} } = options;
  const { bodyLimitBytes = mebibyte, hostBodyLimitBytes = 16 * mebibyte } = options;
  const { bodyMemoryBytes = Math.max(32 * mebibyte, hostBodyLimitBytes, 4 * bodyLimitBytes) } = options;
  const log = createLogWriter(options.logger, logLines);
  const newId = createIdSource({ now, randomBytes });
  const newRequestId = (): string => newId("req");
  const basePath = parseBasePath(options.basePath ?? "");
  const publicUrl = readPublicUrl(options);
  const unreadable = createUnreadableRequests({ newRequestId, now });
  const events = options.events ?? specificationEvents;
  const dispatch = createDispatch({
    table: createRouteTable(selectRoutes(options)),
    context: {
      service,
      requestLog: options.requestLog ?? noRequests,
      readGate: createReadGate(),
      rateLimit: rateLimiters.requests,
      defaults: {
        limits: {
          requests_per_minute: rateLimiters.requests?.limit ?? null,
          console_requests_per_minute: rateLimiters.console?.limit ?? null,
          sends_per_minute: rateLimiters.sends?.limit ?? null,
          webhooks: maximumWebhooks,
          api_keys: maximumApiKeys,
        },
        retention: options.retention ?? defaultAccountRetention,
        delivery: options.delivery ?? defaultDeliveryRules,
      },
      readiness: () => checkReadiness(readiness, log),
      metrics: options.metrics?.render ?? (() => ""),
      publicUrl,
      openApi: createDocumentText({
        publicUrl,
        api: publicApi,
        routes: publicApiRoutes,
        events,
        hasWebhooks: true,
        wire: options,
        requestsPerMinute: rateLimiters.requests?.limit,
      }),
      // Programs of the host usually do not use the public URL.
      hostOpenApi: createDocumentText({ api: hostApi, routes: hostApiRoutes, events }),
    },
    basePath,
    publicUrl,
    bodyLimitBytes,
    hostBodyLimitBytes,
    bodyBudget: createBodyBudget({ totalBytes: bodyMemoryBytes }),
    hostTokenCheck: createHostTokenCheck({
      hostTokens: readHostTokens(options.hostToken),
      metricsToken: options.metrics?.token,
      now,
      onFailedAuthentication: options.onFailedAuthentication,
    }),
    rateLimiters,
    wholeLimitHeaders: describeWholeLimit(rateLimiters),
    cors: createCors(options.corsOrigins ?? []),
    readClient: createClientReader({ trustProxy: options.trustProxy ?? 0, log }),
    log,
    now,
    newRequestId,
    onLogged: options.onLogged,
    onServed: options.onServed,
    traceRequest: options.traceRequest,
  });
  // A malformed path counts as unknown. Otherwise h3 would respond itself, without envelope and request id.
  const app = new H3({ allowMalformedURL: true, silent: true }).all("/**", dispatch);
  // The route is for an app that mounts this one. Other requests need no search for the only route.
  app.handler = dispatch;
  return {
    app,
    fetch: async (request) => {
      expectRequest(request);
      return app.fetch(request);
    },
    handler: createNodeHandler({ app, log, newRequestId, onRequest: unreadable.remember }),
    answerClientError: unreadable.answer,
  };
}

/** @throws ApiError `invalid_public_url` */
function readPublicUrl({ publicUrl }: ApiOptions): string | undefined {
  if (publicUrl === undefined) return undefined;
  const parsed = parsePublicUrl(publicUrl);
  if (parsed !== undefined) return parsed;
  throw new ApiError("invalid_public_url", "publicUrl must be an https: or http: URL without a query.");
}

/**
 * Checks the shape instead of `instanceof`, because frameworks have their own request classes.
 *
 * @throws TypeError for any other value, such as a URL, which the global `fetch` accepts
 */
function expectRequest(value: unknown): void {
  if (
    typeof value === "object" &&
    value !== null &&
    "url" in value &&
    "method" in value &&
    "headers" in value
  )
    return;
  const given = typeof value === "string" || value instanceof URL ? "a URL" : typeof value;
  throw new TypeError(`fetch takes a Request, but got ${given}. Pass new Request(url, options).`);
}
