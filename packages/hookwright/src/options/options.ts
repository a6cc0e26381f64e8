import type { Logger, PinoLike, Subscriber } from "@hookwright/domain";
import type { BlogPostRepository, ContactRepository, Mailer, OrderRepository } from "@hookwright/service";
import type { Store } from "@hookwright/storage";

/** `all` serves and delivers; `api` serves and leaves delivering to others; `worker` delivers and serves the operations routes alone. */
export type Role = "all" | "api" | "worker";

export interface HookwrightOptions {
  /** Where everything is kept: `memoryStore()`, `openFilesystemStore({ directory })`, … It is not closed by `close()`. */
  readonly store: Store;
  /** At least 32 characters. Cursors and stored signing secrets are made with it: keep it, and keep it secret. */
  readonly secret: string;
  /** Where the routes live, such as `/integrations`. @default "" */
  readonly basePath?: string | undefined;
  /** Opens the host API `/host/v1` to whoever presents it. @default none: the routes do not exist */
  readonly hostToken?: string | undefined;
  /** Permits private and loopback targets, `http:` and every port. For trials only. @default false */
  readonly privateTargets?: boolean | undefined;
  /** Single origins that may be delivered to although they are private, such as `http://127.0.0.1:8787`. @default [] */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** Ports that may be delivered to: numbers, and ranges as `[first, last]`. @default [443, 8443, [1024, 65535]] */
  readonly allowedTargetPorts?: readonly (number | readonly [first: number, last: number])[] | undefined;
  /** Seconds from a failed attempt to the next. @default [15, 60, 240, 540, 900] */
  readonly retryDelaysSeconds?: readonly number[] | undefined;
  /** @default 10 */
  readonly attemptTimeoutSeconds?: number | undefined;
  /** Requests of one account to `/v1` in any 60 s. @default 200 */
  readonly rateLimitPerMinute?: number | undefined;
  /** Requests of one account to the console API in any 60 s. @default 600 */
  readonly consoleRateLimitPerMinute?: number | undefined;
  /** Resends and tests of one account through the console API in any 60 s. @default 60 */
  readonly sendsPerMinute?: number | undefined;
  /** Seconds a console token lives. @default 3600 */
  readonly consoleTokenSeconds?: number | undefined;
  /** @default "all" */
  readonly role?: Role | undefined;
  /** Whether the web console (`/console`) and the reference (`/reference`) are served; their API is, either way. @default true */
  readonly developerSite?: boolean | undefined;
  /** Who may read `/metrics`: whoever has the host token, or everybody. Without a host token, `token` means nobody. @default "token" */
  readonly metrics?: "token" | "public" | undefined;
  /** Days that ended deliveries and requests stay in their logs. @default 30 */
  readonly retentionDays?: number | undefined;
  /** Deliveries kept in the log of one account; of more, the oldest go. @default 1000000 */
  readonly deliveriesKept?: number | undefined;
  /** Size of one account's delivery log in MiB; of more, the oldest ended deliveries go. @default 256 */
  readonly deliveryLogMiB?: number | undefined;
  /** Requests kept in the log of one account. @default 10000 */
  readonly requestsKept?: number | undefined;
  /** Contacts in your own database. Customers of published records are then yours to add. @default kept in `store` */
  readonly contacts?: ContactRepository | undefined;
  /** Orders in your own database, which `/v1/orders` answers from. @default those that are published, kept in `store` */
  readonly orders?: OrderRepository | undefined;
  /** Where drafts go that others create: your own database. @default kept in `store` */
  readonly blogPosts?: BlogPostRepository | undefined;
  /**
   * Starts a site's welcome automation for somebody who has just subscribed through `POST /v1/subscribers`. The request does
   * not wait for it; what it throws is logged. @default none
   */
  readonly onSubscribed?: ((subscriber: Subscriber) => Promise<void> | void) | undefined;
  /** What `send` throws is logged, and the mail tried again after 5 s, 1 min and 10 min. @default each mail is one log line */
  readonly mailer?: Mailer | undefined;
  /**
   * Takes each log line: `console`, winston, pino, or Fastify's `app.log`. A logger with pino's methods gets the fields first; any
   * other logger gets the message first. @default `console`
   */
  readonly logger?: Logger | PinoLike | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Origins that browsers may call from. @default none */
  readonly corsOrigins?: readonly string[] | undefined;
  /** @default 1 MiB */
  readonly bodyLimitBytes?: number | undefined;
  /**
   * How many proxies in front are trusted to name the client in `X-Forwarded-For`, counted from the right: limits count by that
   * address. Nobody may be able to reach the server past them. @default 0: the header is ignored
   */
  readonly trustProxy?: number | undefined;
  /** Memory for the bodies of all requests in progress. An account may use a quarter of it. @default 32 MiB, or more if `bodyLimitBytes` is above 8 MiB */
  readonly bodyMemoryBytes?: number | undefined;
}
