import { randomBytes as systemRandomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { createIdSource, createLogWriter, logLines } from "@hookwright/domain";
import { H3 } from "h3";
import { createHostTokenCheck } from "./access/host-token.ts";
import { createCors } from "./answer/cors.ts";
import { createDispatch } from "./dispatch.ts";
import { createNodeHandler } from "./node-handler.ts";
import type { ApiOptions } from "./options.ts";
import { askReadiness } from "./ask-readiness.ts";
import { createDocumentText } from "./openapi/document-text.ts";
import { createClientReader } from "./request/client-address.ts";
import { createBodyBudget } from "./request/body-budget.ts";
import { expectRequest } from "./request/expect-request.ts";
import { publicApiRoutes, selectRoutes } from "./routes/select-routes.ts";
import { parseBasePath } from "./routing/mounted-path.ts";
import { createRouteTable } from "./routing/route-table.ts";
import { createUnreadableRequests } from "./unreadable-requests.ts";

/**
 * An h3 app, as far as another app or a test needs it. The type does not name h3's own, whose declarations compile only with
 * `skipLibCheck`.
 */
export interface MountableApp {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Answers a request without a server, as tests want it. */
  readonly request: (input: Request | URL | string, options?: RequestInit) => Response | Promise<Response>;
}

export interface Api {
  /** The h3 app, to mount in another. */
  readonly app: MountableApp;
  /** For servers that speak `Request` and `Response`. It rejects what is no `Request`, with a `TypeError`, and nothing else. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For Node's `http.createServer`, Express and others that take `(request, response)`. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * For the `clientError` of a Node server that is the API's alone: answers what is no HTTP, or came too late, with the envelope
   * instead of a bare status.
   *
   * @example server.on("clientError", api.answerClientError);
   */
  readonly answerClientError: (error: Error, socket: Duplex) => void;
}

const mebibyte = 2 ** 20;

const noRequests: NonNullable<ApiOptions["requestLog"]> = {
  list: async () => ({ rows: [], meta: { has_more: false, next_cursor: null } }),
};

/**
 * The HTTP side of the integration API: `/v1`, the host API, what the console asks and the operations routes, over the use cases of a
 * service.
 *
 * @throws ApiError `invalid_base_path`
 * @example
 * const api = createApi({ service, logger: console, now: Date.now, hostToken: process.env.HOOKWRIGHT_HOST_TOKEN });
 * createServer(api.handler).listen(3000);
 */
export function createApi(options: ApiOptions): Api {
  const { service, now, hostToken = "", randomBytes = systemRandomBytes } = options;
  const { readiness = async () => ({ ready: true }) } = options;
  const { bodyLimitBytes = mebibyte, hostBodyLimitBytes = 16 * mebibyte } = options;
  const { bodyMemoryBytes = Math.max(32 * mebibyte, hostBodyLimitBytes, 4 * bodyLimitBytes) } = options;
  const log = createLogWriter(options.logger, logLines);
  const newId = createIdSource({ now, randomBytes });
  const newRequestId = (): string => newId("req");
  const basePath = parseBasePath(options.basePath ?? "");
  const unreadable = createUnreadableRequests({ newRequestId, now });
  const dispatch = createDispatch({
    table: createRouteTable(selectRoutes(options)),
    context: {
      service,
      requestLog: options.requestLog ?? noRequests,
      readiness: () => askReadiness(readiness, log),
      metrics: options.metrics?.render ?? (() => ""),
      openApi: createDocumentText({
        routes: publicApiRoutes,
        requestsPerMinute: options.rateLimiter?.limit,
      }),
    },
    basePath,
    bodyLimitBytes,
    hostBodyLimitBytes,
    bodyBudget: createBodyBudget({ totalBytes: bodyMemoryBytes }),
    checkHostToken: createHostTokenCheck(hostToken),
    rateLimiters: options,
    cors: createCors(options.corsOrigins ?? []),
    readClient: createClientReader({ trustProxy: options.trustProxy ?? 0, log }),
    log,
    now,
    newRequestId,
    onLogged: options.onLogged,
    onServed: options.onServed,
  });
  // A malformed path is an unknown one here; h3 would answer it itself, without envelope and request id.
  const app = new H3({ allowMalformedURL: true, silent: true }).all("/**", dispatch);
  return {
    app,
    fetch: async (request) => {
      expectRequest(request);
      return app.fetch(request);
    },
    handler: createNodeHandler({ app, log, newRequestId, onRequest: unreadable.note }),
    answerClientError: unreadable.answer,
  };
}
