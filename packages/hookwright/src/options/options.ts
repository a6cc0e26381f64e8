import type { Branding } from "@hookwright/console";
import type {
  BuiltInEvents,
  HostToken,
  KeptBodies,
  Logger,
  OwnEvents,
  PinoLike,
  Subscriber,
} from "@hookwright/domain";
import type {
  BlogPostRepository,
  ContactRepository,
  Mailer,
  OnNotice,
  OrderRepository,
} from "@hookwright/service";
import type { Store } from "@hookwright/storage";
import type { PostgresSource } from "@hookwright/storage/postgres";

/**
 * `all` serves and delivers. `api` serves, and other processes deliver. `worker` delivers and serves only the
 * operations routes.
 */
export type Role = "all" | "api" | "worker";

/** The outbox in PostgreSQL. */
export type OutboxOptions = (PostgresSource | { readonly notify: boolean }) & {
  /** Whether transactions that insert events notify the relay while it sleeps. @default true */
  readonly notify?: boolean | undefined;
};

/** How deliveries leave this machine. */
export interface EgressOptions {
  /**
   * URL of an HTTP proxy (CONNECT), such as `http://user:password@proxy.example.com:3128`. **The proxy must refuse private
   * addresses**: it resolves the names, so nothing here can check them. @default none
   */
  readonly proxy?: string | undefined;
  /** Certificate and private key in PEM, for receivers that ask for a client certificate. @default none */
  readonly clientCertificate?: { readonly cert: string; readonly key: string } | undefined;
  /** Certificate authorities in PEM that are trusted as well as those of Node. @default none */
  readonly ca?: string | undefined;
  /**
   * The source IP address, which must be one of this machine. Receivers must have an address of its version (IPv4 or IPv6).
   * @default the system chooses
   */
  readonly sourceAddress?: string | undefined;
}

export interface HookwrightOptions<
  Own extends OwnEvents = OwnEvents,
  BuiltIn extends BuiltInEvents = BuiltInEvents,
> {
  /** The store of all data: `memoryStore()`, `openFilesystemStore({ directory })`, … `close()` does not close it. */
  readonly store: Store;
  /**
   * At least 32 characters. It encrypts signing secrets and authenticates cursors. Keep it safe. To change it, use
   * `previousSecrets` and `rotateServerSecret`.
   */
  readonly secret: string;
  /**
   * Secrets that stored signing secrets may still be encrypted with, while `rotateServerSecret` changes the secret.
   *
   * @default []
   */
  readonly previousSecrets?: readonly string[] | undefined;
  /** The path below which the routes are served, such as `/integrations`. @default "" */
  readonly basePath?: string | undefined;
  /**
   * The URL of the routes for users, such as `https://shop.example.com/integrations`, with the base path. Mails have
   * links to its console, and it is the server of the OpenAPI document. @default no links, and the path of each request
   */
  readonly publicUrl?: string | undefined;
  /**
   * The bearer tokens of the host API `/host/v1`, as a list or as text: `name:scopes:token`, separated by commas, with
   * scopes from `publish`, `manage` and `read` joined by `+`. A plain token has the name `default` and all scopes.
   * @default none: the routes do not exist
   */
  readonly hostToken?: string | readonly HostToken[] | undefined;
  /** A bearer token for `/metrics` only. It must differ from the host tokens. @default none */
  readonly metricsToken?: string | undefined;
  /** Allows private and loopback targets, `http:` and all ports. Refused if `NODE_ENV` is `production`. @default false */
  readonly privateTargets?: boolean | undefined;
  /** Private origins that webhooks may use, such as `http://127.0.0.1:8787`. @default [] */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Private targets that webhooks may use over `https:`, also in production: host names, addresses, and networks such as
   * `10.1.2.0/24`. At most 100. @default []
   */
  readonly allowTargets?: readonly string[] | undefined;
  /** Ports that webhooks may use: numbers, and ranges as `[first, last]`. @default [443, 8443, [1024, 65535]] */
  readonly allowedTargetPorts?: readonly (number | readonly [first: number, last: number])[] | undefined;
  /** A proxy, a client certificate and a source address for deliveries. @default none */
  readonly egress?: EgressOptions | undefined;
  /** Seconds from a failed attempt to the next one. @default [15, 60, 240, 540, 900] */
  readonly retryDelaysSeconds?: readonly number[] | undefined;
  /** @default 10 */
  readonly attemptTimeoutSeconds?: number | undefined;
  /** The longest back-off for an endpoint that keeps failing, in seconds. 0: no back-off. @default 180 */
  readonly endpointBackoffSeconds?: number | undefined;
  /** Failed attempts in a row after which a webhook is switched off. `"off"`: never. @default 30 */
  readonly switchOffAfter?: number | "off" | undefined;
  /** Obeys `Retry-After` of a 429 or 503, if it asks for more than the schedule, up to its next step. @default false */
  readonly obeyRetryAfter?: boolean | undefined;
  /** Also sends the headers of Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`. @default false */
  readonly standardWebhooks?: boolean | undefined;
  /** The prefix of the names of the signed headers: `X-Acme` sends `X-Acme-Signature`. Receivers pass it to `verify`. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /**
   * The form of the bodies of deliveries, unless a webhook has its own. `standard`: `{type, timestamp, data, id, project}`, as receivers
   * of other senders read it. @default "hookwright": `{id, event, project, data}`
   */
  readonly bodyForm?: "hookwright" | "standard" | undefined;
  /** Requests of one account to `/v1` in any 60 s. @default 200 */
  readonly rateLimitPerMinute?: number | undefined;
  /** Requests of one account to the console API in any 60 s. @default 600 */
  readonly consoleRateLimitPerMinute?: number | undefined;
  /** Resends and tests of one account through the console API in any 60 s. @default 60 */
  readonly sendsPerMinute?: number | undefined;
  /** Lifetime of a console token in seconds. @default 3600 */
  readonly consoleTokenSeconds?: number | undefined;
  /** @default "all" */
  readonly role?: Role | undefined;
  /**
   * Serves the web console (`/console`) and the reference (`/reference`). Their API is always served. `{ name, logo,
   * accent, docs }` brands the console. @default true
   */
  readonly developerSite?: boolean | Branding | undefined;
  /**
   * Serves pages for the host's staff at `/console#/operator`. They sign in with a host token, so the host API must be
   * reachable there. Needs `hostToken` and the developer site. @default false
   */
  readonly operatorConsole?: boolean | undefined;
  /**
   * `token`: `/metrics` needs the metrics token or a host token, and without such a token it does not exist. `public`:
   * everybody may read it. @default "token"
   */
  readonly metrics?: "token" | "public" | undefined;
  /**
   * True: only `admin` serves `/metrics`, and your program serves `admin.handler` on a second port. @default false
   */
  readonly adminListener?: boolean | undefined;
  /**
   * Returns sentences for the `warnings` of `/readyz`: what does not work although requests are served. They may be public.
   * @default none
   */
  readonly readinessWarnings?: (() => readonly string[]) | undefined;
  /** Days that completed deliveries and requests stay in their logs. @default 30 */
  readonly retentionDays?: number | undefined;
  /** Days that entries of the audit log are kept, at most 10,000 of an account. @default 90 */
  readonly auditRetentionDays?: number | undefined;
  /** Maximum number of deliveries in the log of one account. The oldest are deleted. @default 1000000 */
  readonly deliveriesKept?: number | undefined;
  /** Maximum size of one account's delivery log in MiB. The oldest completed deliveries are deleted. @default 256 */
  readonly deliveryLogMiB?: number | undefined;
  /** Maximum number of requests in the log of one account. @default 10000 */
  readonly requestsKept?: number | undefined;
  /**
   * Bodies of requests and responses in the log of deliveries. `all`: kept with their delivery. `until_accepted`: those of a
   * delivery are removed when it is accepted. `none`: not stored. The host API can set it for an account. @default "all"
   */
  readonly keepBodies?: KeptBodies | undefined;
  /**
   * Your own events by name, such as `order.shipped`, beside those of the specification. `publish` is then typed for
   * them, too. @default none
   */
  readonly events?: Own | undefined;
  /**
   * The events of the specification that this instance has. False, for a host that is no site builder: only those of `events` and those
   * that are declared over the host API. A list keeps these, such as `["order.created"]`. `publish` is typed for them alone. The names
   * of the others stay reserved. @default true
   */
  readonly builtInEvents?: BuiltIn | undefined;
  /**
   * Contacts in your own database. You must then add the customers of published records yourself. @default stored in
   * `store`
   */
  readonly contacts?: ContactRepository | undefined;
  /** Orders in your own database, for `/v1/orders`. @default the published orders, stored in `store` */
  readonly orders?: OrderRepository | undefined;
  /** Blog posts in your own database, where API clients create drafts. @default stored in `store` */
  readonly blogPosts?: BlogPostRepository | undefined;
  /**
   * Starts a site's welcome automation for a new subscriber of `POST /v1/subscribers`. The request does not wait for
   * it. Its errors are logged. @default none
   */
  readonly onSubscribed?: ((subscriber: Subscriber) => Promise<void> | void) | undefined;
  /**
   * Sends mails. If `send` throws, the error is logged and the mail is retried after 5 s, 1 min and 10 min, then every
   * hour for a day. @default each mail is one log line
   */
  readonly mailer?: Mailer | undefined;
  /**
   * Called with what happened by itself: a webhook fails, was switched off or removed, works again, deliveries have
   * finally failed, a key ends soon. Called in one process of those that deliver. If it throws, the error is logged and
   * the call is repeated as those of `mailer`, also after a crash: remember `notice.id` to find repetitions. @default none
   */
  readonly onNotice?: OnNotice | undefined;
  /**
   * Receives each log line: `console`, winston, pino, or Fastify's `app.log`. A logger with pino's methods gets the
   * fields first. Any other logger gets the message first. @default `console`
   */
  readonly logger?: Logger | PinoLike | undefined;
  /** Writes one line of the level info for each request, with the code `request_served`. @default false */
  readonly accessLog?: boolean | undefined;
  /** Writes one line of the level info for each delivery attempt, with the code `attempt_recorded`. @default false */
  readonly attemptLog?: boolean | undefined;
  /** The commit that your program was built from, for the metric `hookwright_build_info`. @default none */
  readonly buildCommit?: string | undefined;
  /**
   * A PostgreSQL database with an outbox, if the store is not in it: `{ url, poolSize }`, or `{ pool }` with a `Pool` of `pg` that
   * allows two connections; and `schema`. Its events are published at least once. The outbox of a PostgreSQL store needs no
   * option.
   *
   * With `notify: false` your transactions notify nobody, so they may use `PREPARE TRANSACTION`. An event then waits up to
   * 0.1 s. For the outbox of the store pass `{ notify: false }`. @default none
   */
  readonly outbox?: OutboxOptions | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Origins whose pages may call the API from a browser. @default none */
  readonly corsOrigins?: readonly string[] | undefined;
  /** @default 1 MiB */
  readonly bodyLimitBytes?: number | undefined;
  /**
   * The number of trusted proxies that name the client in `X-Forwarded-For`, counted from the right. Limits use that
   * address. Clients must not be able to reach the server without them. @default 0: the header is ignored
   */
  readonly trustProxy?: number | undefined;
  /**
   * Connections that your server may hold, as for `hardenServer`. Streams of events use at most half of them, and tests an eighth.
   *
   * @default as for `hardenServer`: a quarter of the open-files limit, at most 10,000
   */
  readonly maxConnections?: number | undefined;
  /** Memory for the bodies of all requests in progress. An account may use a quarter of it. @default 32 MiB, or more if `bodyLimitBytes` is above 8 MiB */
  readonly bodyMemoryBytes?: number | undefined;
}
