import type {
  AccountRetention,
  DeliveryRules,
  EventRegistry,
  HostToken,
  Logger,
  PinoLike,
} from "@hookwright/domain";
import type { FailedAuthentication, LoggedRequest, RequestLog, Service } from "@hookwright/service";
import type { Wire } from "./openapi/webhook-descriptions.ts";
import type { RateLimiters } from "./routing/rate-limiter.ts";
import type { Readiness } from "./check-readiness.ts";
import type { ServedRequest, TraceRequest } from "./response/served-request.ts";
import type { Metrics } from "./metrics.ts";
import type { SitePage } from "./site-page.ts";

export interface ApiOptions extends Wire {
  readonly service: Service;
  /** The events of the OpenAPI document: those of the service. @default the events of the specification */
  readonly events?: EventRegistry | undefined;
  /** `console`, pino, Fastify's `app.log`, or any logger that takes a message and fields. */
  readonly logger: Logger | PinoLike;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * The bearer tokens of the host API `/host/v1`, as a list or as text: `name:scopes:token`, separated by commas, with
   * scopes from `publish`, `manage` and `read` joined by `+`. A plain token has all scopes. @default none: the routes do
   * not exist
   */
  readonly hostToken?: string | readonly HostToken[] | undefined;
  /** The path below which all routes are served, such as `/integrations`. @default "" */
  readonly basePath?: string | undefined;
  /**
   * The URL of the routes for users, such as `https://hooks.example.com`, with the base path if there is one. It is the
   * server of the OpenAPI document. @default the path of each request
   */
  readonly publicUrl?: string | undefined;
  /** The longest body of a request to `/v1`. @default 1 MiB */
  readonly bodyLimitBytes?: number | undefined;
  /** The longest body of a request to the host API. @default 16 MiB */
  readonly hostBodyLimitBytes?: number | undefined;
  /** Memory for the bodies of all requests in progress. An account may use a quarter of it. @default 32 MiB, or more for a larger limit of bodies */
  readonly bodyMemoryBytes?: number | undefined;
  /** Origins that browsers may call `/v1` from, such as `https://app.example.com`. @default none */
  readonly corsOrigins?: readonly string[] | undefined;
  /**
   * The number of trusted proxies that name the client in `X-Forwarded-For`, counted from the right. Clients must not
   * be able to reach the server without them. @default 0: the header is ignored
   */
  readonly trustProxy?: number | undefined;
  readonly rateLimiters?: RateLimiters | undefined;
  /** How much is kept of an account that has no setting of its own. The console shows it. @default not known */
  readonly retention?: AccountRetention | undefined;
  /** How deliveries of an account without rules of its own are repeated. The console shows it. @default as in the specification */
  readonly delivery?: DeliveryRules | undefined;
  /** What `/readyz` answers. A rejection counts as not ready. @default always ready */
  readonly readiness?: (() => Promise<Readiness>) | undefined;
  /** The metrics of `/metrics`. @default the route does not exist */
  readonly metrics?: Metrics | undefined;
  /** `operations` serves only `/healthz`, `/readyz` and `/metrics`. @default "all" */
  readonly routes?: "all" | "operations" | undefined;
  /** Pages to serve in addition to the API. @default none */
  readonly pages?: readonly SitePage[] | undefined;
  /** The recent requests that the console shows. @default none */
  readonly requestLog?: Pick<RequestLog, "count" | "list"> | undefined;
  /** Called after every response to an authenticated caller, to fill the request log. It must not wait. */
  readonly onLogged?: ((accountId: string, request: LoggedRequest) => void) | undefined;
  /** Called after every response, to count metrics. It must neither wait nor throw. */
  readonly onServed?: ((request: ServedRequest) => void) | undefined;
  /** Called after a wrong host or metrics token, for log and metrics. It must neither wait nor throw. */
  readonly onFailedAuthentication?: ((failure: FailedAuthentication) => void) | undefined;
  /** Called before every request is served. @default requests are not traced */
  readonly traceRequest?: TraceRequest | undefined;
  /** Cryptographically random bytes, for request ids. @default `randomBytes` of `node:crypto` */
  readonly randomBytes?: ((size: number) => Uint8Array) | undefined;
}
