import { isIP } from "node:net";
import { parseAllowedTargets, parseProxyUrl, parsePublicUrl } from "@hookwright/domain";
import type { HostToken, Role } from "hookwright";
import { logLevels } from "../logger.ts";
import type { LogLevel } from "../logger.ts";
import { explainHome, explainStorage, hidePassword, parseStorageLocation } from "../storage-location.ts";
import type { StorageLocation } from "../storage-location.ts";
import { nameOf } from "./option.ts";
import type { Option } from "./option.ts";
import { parseAllowedPorts, parseRetryDelays } from "./parse-lists.ts";
import type { AllowedPort } from "./parse-lists.ts";
import { parseMailAddress, parseSmtpUrl } from "./parse-mail.ts";
import { parseDecimal, parseWholeNumber } from "./parse-number.ts";
import { explainTokenList, parseToken, parseTokenList } from "./parse-tokens.ts";

export const minimumSecretLength = 32;

export const defaultAdminHost = "127.0.0.1";

/** Host names and IP addresses. */
const hostPattern = /^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/u;

/** All settings except `--demo`, in the order of the help. */
export const options = {
  port: define<number>({
    flag: "port",
    variable: "PORT",
    description: "Port to listen on. 0 chooses a free port",
    allowed: "a whole number from 0 to 65535",
    fallback: 3_000,
    shownDefault: "3000",
    parse: (text) => parseWholeNumber(text, { minimum: 0, maximum: 65_535 }),
  }),
  host: define<string>({
    flag: "host",
    variable: "HOST",
    description: "Address to listen on. 0.0.0.0 listens on all interfaces",
    allowed: "a host name or an IP address",
    fallback: "127.0.0.1",
    shownDefault: "127.0.0.1",
    parse: (text) => (hostPattern.test(text) ? text : undefined),
  }),
  adminPort: define<number | undefined>({
    flag: "admin-port",
    variable: "HOOKWRIGHT_ADMIN_PORT",
    description:
      "Second port, for /healthz, /readyz and /metrics only. /metrics is then absent from the first port. 0 chooses a free port. Default: none",
    allowed: "a whole number from 0 to 65535",
    fallback: undefined,
    parse: (text) => parseWholeNumber(text, { minimum: 0, maximum: 65_535 }),
  }),
  adminHost: define<string | undefined>({
    flag: "admin-host",
    variable: "HOOKWRIGHT_ADMIN_HOST",
    description: "Address of the second port",
    allowed: "a host name or an IP address",
    fallback: undefined,
    shownDefault: defaultAdminHost,
    parse: (text) => (hostPattern.test(text) ? text : undefined),
  }),
  publicUrl: define<string | undefined>({
    variable: "HOOKWRIGHT_PUBLIC_URL",
    description:
      "URL of this server for users, with the path of the proxy: for links in mails and for the OpenAPI document. Default: none, and no links",
    allowed: "a URL such as https://hooks.example.com or https://example.com/hooks, without a query",
    fallback: undefined,
    parse: parsePublicUrl,
  }),
  storage: define<StorageLocation>({
    flag: "storage",
    variable: "HOOKWRIGHT_STORAGE",
    inFile: true,
    description: "Where all data is stored: memory, file:DIR, or a Redis or PostgreSQL URL",
    allowed:
      "memory, file:DIR, redis://…, redis-cluster://host:port,host:port, or with TLS rediss://…, rediss-cluster://…; postgres://user:password@host:port/database",
    fallback: { type: "file", directory: ".hookwright" },
    shownDefault: "file:.hookwright",
    parse: parseStorageLocation,
    explain: explainStorage,
  }),
  outbox: define<string | undefined>({
    flag: "outbox",
    variable: "HOOKWRIGHT_OUTBOX",
    inFile: true,
    description:
      "PostgreSQL database with an outbox, if it is not the storage. The outbox of a PostgreSQL storage needs no option",
    allowed: "postgres://user:password@host:port/database",
    fallback: undefined,
    parse: parseOutbox,
  }),
  outboxNotify: define<boolean>({
    variable: "HOOKWRIGHT_OUTBOX_NOTIFY",
    description:
      "off: transactions that insert into the outbox notify nobody, so they may use PREPARE TRANSACTION. An event then waits up to 0.1 s",
    allowed: "on or off",
    fallback: true,
    shownDefault: "on",
    parse: parseSwitch,
  }),
  poolSize: define<number>({
    flag: "pool-size",
    variable: "HOOKWRIGHT_POOL_SIZE",
    description:
      "Connections to PostgreSQL of this process, at most: to the storage, and as many to the outbox of --outbox",
    allowed: "a whole number from 3 to 1000",
    fallback: 10,
    shownDefault: "10",
    parse: (text) => parseWholeNumber(text, { minimum: 3, maximum: 1_000 }),
  }),
  redisCa: define<string | undefined>({
    variable: "HOOKWRIGHT_REDIS_CA",
    description:
      "PEM file with the certificate authority of Redis over TLS. Default: the authorities that Node trusts",
    allowed: "the path of a PEM file",
    fallback: undefined,
    parse: parseFilePath,
    explain: explainHome,
  }),
  redisCert: define<string | undefined>({
    variable: "HOOKWRIGHT_REDIS_CERT",
    description: "PEM file with the client certificate for Redis over TLS",
    allowed: "the path of a PEM file",
    fallback: undefined,
    parse: parseFilePath,
    explain: explainHome,
  }),
  redisKey: define<string | undefined>({
    variable: "HOOKWRIGHT_REDIS_KEY",
    description: "PEM file with the private key of that certificate",
    allowed: "the path of a PEM file",
    fallback: undefined,
    secret: true,
    parse: parseFilePath,
    explain: explainHome,
  }),
  role: define<Role>({
    flag: "role",
    variable: "HOOKWRIGHT_ROLE",
    description:
      "all: serve and deliver. api: serve only. worker: deliver, and serve only the operations routes",
    allowed: "all, api or worker",
    fallback: "all",
    shownDefault: "all",
    parse: (text) => (text === "all" || text === "api" || text === "worker" ? text : undefined),
  }),
  secret: define<string | undefined>({
    variable: "HOOKWRIGHT_SECRET",
    inFile: true,
    description:
      "Encrypts signing secrets and authenticates cursors. Required with Redis. Default: created at the first start and stored in the data directory",
    allowed: `at least ${minimumSecretLength} characters long (\`openssl rand -base64 32\` creates one)`,
    fallback: undefined,
    secret: true,
    parse: (text) => (text.length >= minimumSecretLength ? text : undefined),
  }),
  secretPrevious: define<string | undefined>({
    variable: "HOOKWRIGHT_SECRET_PREVIOUS",
    inFile: true,
    description: "The secret before HOOKWRIGHT_SECRET, while `hookwright rotate-secret` replaces it",
    allowed: `at least ${minimumSecretLength} characters long, as HOOKWRIGHT_SECRET was`,
    fallback: undefined,
    secret: true,
    parse: (text) => (text.length >= minimumSecretLength ? text : undefined),
  }),
  hostToken: define<readonly HostToken[] | undefined>({
    variable: "HOOKWRIGHT_HOST_TOKEN",
    inFile: true,
    description:
      "Bearer token for the host API, or several as name:scopes:token, separated by commas, with scopes from publish, manage, read joined by +. Default: none, and no host API",
    allowed:
      "a token, or tokens separated by commas, of visible ASCII characters without spaces, because they are sent in a header",
    fallback: undefined,
    secret: true,
    parse: parseTokenList,
    explain: explainTokenList,
  }),
  retryDelaysSeconds: define<readonly number[]>({
    flag: "retry-delays",
    variable: "HOOKWRIGHT_RETRY_DELAYS",
    description: "Seconds from each failed attempt to the next. Fractions are allowed",
    allowed: "1 to 100 numbers of seconds from 0.05 to 86400, separated by commas",
    fallback: [15, 60, 240, 540, 900],
    shownDefault: "15,60,240,540,900",
    parse: parseRetryDelays,
  }),
  attemptTimeoutSeconds: define<number>({
    flag: "attempt-timeout",
    variable: "HOOKWRIGHT_ATTEMPT_TIMEOUT",
    description: "Seconds within which an endpoint must respond",
    allowed: "a number of seconds from 0.1 to 60",
    fallback: 10,
    shownDefault: "10",
    parse: (text) => parseDecimal(text, { minimum: 0.1, maximum: 60 }),
  }),
  endpointBackoffSeconds: define<number>({
    flag: "endpoint-backoff",
    variable: "HOOKWRIGHT_ENDPOINT_BACKOFF",
    description: "Longest back-off in seconds for an endpoint that keeps failing. 0: no back-off",
    allowed: "a number of seconds from 0 to 86400",
    fallback: 30,
    shownDefault: "30",
    parse: (text) => parseDecimal(text, { minimum: 0, maximum: 86_400 }),
  }),
  obeyRetryAfter: define<boolean>({
    flag: "obey-retry-after",
    variable: "HOOKWRIGHT_OBEY_RETRY_AFTER",
    description: "Obey Retry-After of a 429 or 503, up to the next step of the retry delays",
    allowed: "on or off",
    fallback: false,
    shownDefault: "off",
    bare: "on",
    parse: parseSwitch,
  }),
  standardWebhooks: define<boolean>({
    flag: "standard-webhooks",
    variable: "HOOKWRIGHT_STANDARD_WEBHOOKS",
    description: "Deliveries also have the headers of Standard Webhooks",
    allowed: "on or off",
    fallback: false,
    shownDefault: "off",
    bare: "on",
    parse: parseSwitch,
  }),
  trustProxy: define<number>({
    flag: "trust-proxy",
    variable: "HOOKWRIGHT_TRUST_PROXY",
    description: "Number of trusted proxies that name the client in X-Forwarded-For, counted from the right",
    allowed: "a whole number from 0 to 100",
    fallback: 0,
    shownDefault: "0",
    parse: (text) => parseWholeNumber(text, { minimum: 0, maximum: 100 }),
  }),
  privateTargets: define<boolean>({
    flag: "private-targets",
    variable: "HOOKWRIGHT_PRIVATE_TARGETS",
    description: "allow: webhooks may use private addresses, http: and all ports. Only for development",
    allowed: "deny or allow",
    fallback: false,
    shownDefault: "deny",
    parse: (text) => (text === "allow" ? true : text === "deny" ? false : undefined),
  }),
  allowTargets: define<readonly string[]>({
    flag: "allow-targets",
    variable: "HOOKWRIGHT_ALLOW_TARGETS",
    description:
      "Private targets that webhooks may use over https:, such as 10.1.2.3,10.9.0.0/24,hooks.internal. Default: none",
    allowed: "at most 100 host names, private IP addresses and private networks, separated by commas",
    fallback: [],
    parse: (text) => (parseAllowedTargets(splitList(text)).ok ? splitList(text) : undefined),
    explain(text) {
      const verdict = parseAllowedTargets(splitList(text));
      return verdict.ok ? undefined : `${verdict.reason}.`;
    },
  }),
  allowedTargetPorts: define<readonly AllowedPort[]>({
    variable: "HOOKWRIGHT_ALLOWED_TARGET_PORTS",
    description: "Ports that webhook URLs may use",
    allowed: "ports from 1 to 65535 and ranges, separated by commas, such as 443,8443,1024-65535",
    fallback: [443, 8_443, [1_024, 65_535]],
    shownDefault: "443,8443,1024-65535",
    parse: parseAllowedPorts,
  }),
  proxy: define<string | undefined>({
    flag: "proxy",
    variable: "HOOKWRIGHT_PROXY",
    inFile: true,
    description:
      "HTTP proxy for deliveries. It must refuse private addresses, because it resolves the names. Default: none",
    allowed: "a URL such as http://user:password@proxy.example.com:3128, or https://…",
    fallback: undefined,
    secret: true,
    parse: (text) => (parseProxyUrl(text) === undefined ? undefined : text),
  }),
  sourceAddress: define<string | undefined>({
    flag: "source-address",
    variable: "HOOKWRIGHT_SOURCE_ADDRESS",
    description:
      "Source IP address of deliveries. Endpoints need an address of its version. Default: the system chooses",
    allowed: "an IP address of this machine",
    fallback: undefined,
    parse: (text) => (isIP(text) === 0 ? undefined : text),
  }),
  deliveryClientCert: define<string | undefined>({
    flag: "delivery-client-cert",
    variable: "HOOKWRIGHT_DELIVERY_CLIENT_CERT",
    description: "PEM file with the client certificate for endpoints that ask for one",
    allowed: "the path of a PEM file",
    fallback: undefined,
    parse: parseFilePath,
    explain: explainHome,
  }),
  deliveryClientKey: define<string | undefined>({
    flag: "delivery-client-key",
    variable: "HOOKWRIGHT_DELIVERY_CLIENT_KEY",
    description: "PEM file with the private key of that certificate",
    allowed: "the path of a PEM file",
    fallback: undefined,
    secret: true,
    parse: parseFilePath,
    explain: explainHome,
  }),
  deliveryCa: define<string | undefined>({
    flag: "delivery-ca",
    variable: "HOOKWRIGHT_DELIVERY_CA",
    description: "PEM file with certificate authorities of endpoints, beside those that Node trusts",
    allowed: "the path of a PEM file",
    fallback: undefined,
    parse: parseFilePath,
    explain: explainHome,
  }),
  smtpUrl: define<string | undefined>({
    variable: "SMTP_URL",
    inFile: true,
    description: "Mail server, such as smtp://user:password@host:587. Default: each mail is a log line",
    allowed: "a URL such as smtp://user:password@mail.example.com:587, or smtps://…",
    fallback: undefined,
    secret: true,
    parse: parseSmtpUrl,
  }),
  mailFrom: define<string | undefined>({
    variable: "HOOKWRIGHT_MAIL_FROM",
    description: "Sender address of mails",
    allowed: "an address such as hooks@example.com, or Hooks <hooks@example.com>",
    fallback: undefined,
    parse: parseMailAddress,
  }),
  rateLimitPerMinute: define<number>({
    variable: "HOOKWRIGHT_RATE_LIMIT",
    description: "Maximum number of requests per account to /v1 in 60 seconds",
    allowed: "a whole number from 1 to 1000000000",
    fallback: 200,
    shownDefault: "200",
    parse: (text) => parseWholeNumber(text, { minimum: 1, maximum: 1_000_000_000 }),
  }),
  consoleRateLimitPerMinute: define<number>({
    variable: "HOOKWRIGHT_CONSOLE_RATE_LIMIT",
    description: "Maximum number of requests per account to the console API in 60 seconds",
    allowed: "a whole number from 1 to 1000000000",
    fallback: 600,
    shownDefault: "600",
    parse: (text) => parseWholeNumber(text, { minimum: 1, maximum: 1_000_000_000 }),
  }),
  sendsPerMinute: define<number>({
    variable: "HOOKWRIGHT_SENDS_PER_MINUTE",
    description: "Maximum number of resends and tests per account in 60 seconds",
    allowed: "a whole number from 1 to 1000000000",
    fallback: 60,
    shownDefault: "60",
    parse: (text) => parseWholeNumber(text, { minimum: 1, maximum: 1_000_000_000 }),
  }),
  maxConnections: define<number | undefined>({
    flag: "max-connections",
    variable: "HOOKWRIGHT_MAX_CONNECTIONS",
    description: "Maximum number of concurrent client connections. Event streams use at most half of them",
    allowed: "a whole number from 1 to 1000000",
    fallback: undefined,
    shownDefault: "1/4 of the open-files limit",
    parse: (text) => parseWholeNumber(text, { minimum: 1, maximum: 1_000_000 }),
  }),
  headersTimeoutSeconds: define<number>({
    variable: "HOOKWRIGHT_HEADERS_TIMEOUT",
    description: "Seconds within which a client must send the headers of a request",
    allowed: "a number of seconds from 0.1 to 3600",
    fallback: 10,
    shownDefault: "10",
    parse: (text) => parseDecimal(text, { minimum: 0.1, maximum: 3_600 }),
  }),
  requestTimeoutSeconds: define<number>({
    variable: "HOOKWRIGHT_REQUEST_TIMEOUT",
    description: "Seconds within which a client must send a complete request",
    allowed: "a number of seconds from 0.1 to 3600",
    fallback: 30,
    shownDefault: "30",
    parse: (text) => parseDecimal(text, { minimum: 0.1, maximum: 3_600 }),
  }),
  consoleTokenSeconds: define<number>({
    variable: "HOOKWRIGHT_CONSOLE_TTL",
    description: "Lifetime of a console token in seconds",
    allowed: "a whole number of seconds from 1 to 31536000",
    fallback: 3_600,
    shownDefault: "3600",
    parse: (text) => parseWholeNumber(text, { minimum: 1, maximum: 31_536_000 }),
  }),
  retentionDays: define<number>({
    variable: "HOOKWRIGHT_RETENTION_DAYS",
    description: "Days that completed deliveries and requests stay in their logs",
    allowed: "a number of days from 0.042 (an hour) to 3650",
    fallback: 30,
    shownDefault: "30",
    parse: (text) => parseDecimal(text, { minimum: 0.042, maximum: 3_650 }),
  }),
  auditRetentionDays: define<number>({
    variable: "HOOKWRIGHT_AUDIT_RETENTION_DAYS",
    description: "Days that entries of the audit log are kept, at most 10,000 of an account",
    allowed: "a number of days from 1 to 3650",
    fallback: 90,
    shownDefault: "90",
    parse: (text) => parseDecimal(text, { minimum: 1, maximum: 3_650 }),
  }),
  deliveryLogMiB: define<number>({
    variable: "HOOKWRIGHT_DELIVERY_LOG_MIB",
    description:
      "Maximum size of each account's delivery log in MiB. The oldest completed deliveries are deleted first",
    allowed: "a whole number of MiB from 1 to 1048576",
    fallback: 256,
    shownDefault: "256",
    parse: (text) => parseWholeNumber(text, { minimum: 1, maximum: 1_048_576 }),
  }),
  metrics: define<"token" | "public">({
    variable: "HOOKWRIGHT_METRICS",
    description:
      "Who may read /metrics. token: callers with the metrics token or a host token. public: everybody",
    allowed: "token or public",
    fallback: "token",
    shownDefault: "token",
    parse: (text) => (text === "token" || text === "public" ? text : undefined),
  }),
  metricsToken: define<string | undefined>({
    variable: "HOOKWRIGHT_METRICS_TOKEN",
    inFile: true,
    description: "Bearer token for /metrics only, for the monitoring. Default: none",
    allowed: "visible ASCII characters without spaces, because it is sent in a header",
    fallback: undefined,
    secret: true,
    parse: parseToken,
  }),
  log: define<"pretty" | "json" | undefined>({
    variable: "HOOKWRIGHT_LOG",
    description: "Format of log lines: pretty or json",
    allowed: "pretty or json",
    fallback: undefined,
    shownDefault: "pretty (terminal) or json",
    parse: (text) => (text === "pretty" || text === "json" ? text : undefined),
  }),
  logLevel: define<LogLevel>({
    variable: "HOOKWRIGHT_LOG_LEVEL",
    description:
      "Lowest level of log lines: debug, info, warn or error. Mails without SMTP_URL, the access log and the attempt log have the level info",
    allowed: "debug, info, warn or error",
    fallback: "info",
    shownDefault: "info",
    parse: (text) => logLevels.find((level) => level === text),
  }),
  operatorConsole: define<boolean>({
    variable: "HOOKWRIGHT_OPERATOR_CONSOLE",
    description: "on: pages for the host's staff at /console#/operator, with a host token",
    allowed: "on or off",
    fallback: false,
    shownDefault: "off",
    parse: parseSwitch,
  }),
  accessLog: define<boolean>({
    variable: "HOOKWRIGHT_ACCESS_LOG",
    description: "on: one log line for each request, without personal data",
    allowed: "on or off",
    fallback: false,
    shownDefault: "off",
    parse: parseSwitch,
  }),
  attemptLog: define<boolean>({
    variable: "HOOKWRIGHT_ATTEMPT_LOG",
    description: "on: one log line for each delivery attempt, without personal data",
    allowed: "on or off",
    fallback: false,
    shownDefault: "off",
    parse: parseSwitch,
  }),
  commit: define<string | undefined>({
    variable: "HOOKWRIGHT_COMMIT",
    description: "The commit of this build, for the metric hookwright_build_info",
    allowed: "at most 64 letters, digits, dots and hyphens",
    fallback: undefined,
    parse: (text) => (/^[\w.-]{1,64}$/u.test(text) ? text : undefined),
  }),
  demoTraffic: define<boolean>({
    flag: "demo-traffic",
    variable: "HOOKWRIGHT_DEMO_TRAFFIC",
    description: "off: the demo does not publish an order every three seconds. Only with --demo",
    allowed: "on or off",
    fallback: true,
    shownDefault: "on",
    bare: "on",
    parse: parseSwitch,
  }),
} as const;

/** Explains why a value is invalid. The sentence shows the value without passwords, or only the length of a secret. */
export function explainRefusal(option: Option<unknown>, text: string, allowed = option.allowed): string {
  const shown =
    option.secret === true
      ? `the given value (${text.length} characters, not shown) is not`
      : `${JSON.stringify(hidePassword(text))} is not`;
  const more = option.explain?.(text);
  return `${nameOf(option)} must be ${allowed}; ${shown}.${more === undefined ? "" : ` ${more}`}`;
}

function parseOutbox(text: string): string | undefined {
  const location = parseStorageLocation(text);
  return location?.type === "postgres" ? location.url : undefined;
}

function splitList(text: string): string[] {
  return text.split(",").map((entry) => entry.trim());
}

function parseSwitch(text: string): boolean | undefined {
  return text === "on" ? true : text === "off" ? false : undefined;
}

/** Refuses the content of a certificate or key in place of its path. */
function parseFilePath(text: string): string | undefined {
  return explainHome(text) === undefined && !/\0|-----BEGIN/u.test(text) ? text : undefined;
}

function define<Value>(option: Option<Value>): Option<Value> {
  return option;
}
