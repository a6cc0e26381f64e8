import type { Logger, PinoLike } from "@hookwright/domain";
import type { LoggedRequest, RequestLog, Service } from "@hookwright/service";
import type { RateLimiters } from "./access/rate-limit.ts";
import type { Readiness } from "./ask-readiness.ts";
import type { ServedRequest } from "./answer/served-request.ts";
import type { Metrics } from "./metrics.ts";
import type { SitePage } from "./site-page.ts";

export interface ApiOptions extends RateLimiters {
  readonly service: Service;
  /** `console`, pino, Fastify's `app.log`, or any logger that takes a message and fields. */
  readonly logger: Logger | PinoLike;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Opens the host API `/host/v1` to whoever presents it. @default none: the routes do not exist */
  readonly hostToken?: string | undefined;
  /** Where all routes live, such as `/integrations`. @default "" */
  readonly basePath?: string | undefined;
  /** The longest body of a request to `/v1`. @default 1 MiB */
  readonly bodyLimitBytes?: number | undefined;
  /** The longest body of a request to the host API. @default 16 MiB */
  readonly hostBodyLimitBytes?: number | undefined;
  /** Memory for the bodies of all requests in progress. An account may use a quarter of it. @default 32 MiB, or more for a larger limit of bodies */
  readonly bodyMemoryBytes?: number | undefined;
  /** Origins that browsers may call `/v1` from, such as `https://app.example.com`. @default none */
  readonly corsOrigins?: readonly string[] | undefined;
  /**
   * How many proxies in front are trusted to name the client in `X-Forwarded-For`, counted from the right. Nobody may be able to
   * reach the server past them. @default 0: the header is ignored
   */
  readonly trustProxy?: number | undefined;
  /** What `/readyz` answers. A rejection counts as not ready. @default always ready */
  readonly readiness?: (() => Promise<Readiness>) | undefined;
  /** What `/metrics` answers. @default the route does not exist */
  readonly metrics?: Metrics | undefined;
  /** `operations` serves `/healthz`, `/readyz` and `/metrics` alone. @default "all" */
  readonly routes?: "all" | "operations" | undefined;
  /** Pages to serve beside the API. @default none */
  readonly pages?: readonly SitePage[] | undefined;
  /** What the console shows of recent requests. @default nothing */
  readonly requestLog?: Pick<RequestLog, "list"> | undefined;
  /** Told of every answer to a caller that is known: what a request log is made of. It must not wait. */
  readonly onLogged?: ((accountId: string, request: LoggedRequest) => void) | undefined;
  /** Told of every answer at all: what metrics are made of. It must neither wait nor throw. */
  readonly onServed?: ((request: ServedRequest) => void) | undefined;
  /** Cryptographically random bytes, for request ids. @default `randomBytes` of `node:crypto` */
  readonly randomBytes?: ((size: number) => Uint8Array) | undefined;
}
