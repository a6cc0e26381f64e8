import { isIP } from "node:net";
import {
  decimalSetting,
  eventNames,
  parseAllowedTargets,
  parseProxyUrl,
  parsePublicUrl,
  settings,
  switchSetting,
  wholeNumberSetting,
  hidePassword,
} from "@hookwright/domain";
import type { HostToken } from "hookwright";
import { logLevels } from "../logger.ts";
import type { LogLevel } from "../logger.ts";
import { explainHome, explainStorage, parseStorageLocation } from "../storage-location.ts";
import type { StorageLocation } from "../storage-location.ts";
import { nameOf } from "./option.ts";
import type { Option } from "./option.ts";
import { parseAllowedPorts } from "./parse-lists.ts";
import type { AllowedPort } from "./parse-lists.ts";
import { parseMailAddress, parseSmtpUrl } from "./parse-mail.ts";
import { explainTokenList, parseToken, parseTokenList } from "./parse-tokens.ts";

export const minimumSecretLength = 32;

export const defaultAdminHost = "127.0.0.1";

/** Host names and IP addresses. */
const hostPattern = /^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/u;

const port = wholeNumberSetting({
  description: "Port to listen on. 0 chooses a free port",
  minimum: 0,
  maximum: 65_535,
  fallback: 3_000,
});
const onOrOff = { allowed: "on or off" };
const pemFile: Pick<Option<string | undefined>, "allowed" | "fallback" | "parse" | "explain"> = {
  allowed: "the path of a PEM file",
  fallback: undefined,
  parse: parseFilePath,
  explain: explainHome,
};

/** All settings except `--demo`, in the order of the help. */
export const options = {
  port: { ...port, flag: "port", variable: "PORT" },
  host: define<string>({
    flag: "host",
    variable: "HOST",
    description: "Address to listen on. 0.0.0.0 listens on all interfaces",
    allowed: "a host name or an IP address",
    fallback: "127.0.0.1",
    parse: (text) => (hostPattern.test(text) ? text : undefined),
  }),
  adminPort: define<number | undefined>({
    ...port,
    flag: "admin-port",
    variable: "HOOKWRIGHT_ADMIN_PORT",
    description:
      "Second port, for /healthz, /readyz and /metrics only. /metrics is then absent from the first port. 0 chooses a free port. Default: none",
    fallback: undefined,
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
    description:
      "Where all data is stored: memory, file:DIR, a Redis or PostgreSQL URL, or unstorage:DRIVER?…",
    allowed:
      "memory, file:DIR, redis://…, redis-cluster://host:port,host:port, or with TLS rediss://…, rediss-cluster://…; postgres://user:password@host:port/database; unstorage:DRIVER?option=value&…",
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
  outboxNotify: {
    ...switchSetting(
      "off: transactions that insert into the outbox notify nobody, so they may use PREPARE TRANSACTION. An event then waits up to 0.1 s",
      true,
    ),
    ...onOrOff,
    variable: "HOOKWRIGHT_OUTBOX_NOTIFY",
  },
  poolSize: {
    ...wholeNumberSetting({
      description:
        "Connections to PostgreSQL of this process, at most: to the storage, and as many to the outbox of --outbox",
      minimum: 3,
      maximum: 1_000,
      fallback: 10,
    }),
    flag: "pool-size",
    variable: "HOOKWRIGHT_POOL_SIZE",
  },
  redisCa: {
    ...pemFile,
    variable: "HOOKWRIGHT_REDIS_CA",
    description:
      "PEM file with the certificate authority of Redis over TLS. Default: the authorities that Node trusts",
  },
  redisCert: {
    ...pemFile,
    variable: "HOOKWRIGHT_REDIS_CERT",
    description: "PEM file with the client certificate for Redis over TLS",
  },
  redisKey: {
    ...pemFile,
    variable: "HOOKWRIGHT_REDIS_KEY",
    description: "PEM file with the private key of that certificate",
    secret: true,
  },
  role: { ...settings.role, flag: "role", variable: "HOOKWRIGHT_ROLE" },
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
    fileMayBeEmpty: true,
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
  retryDelaysSeconds: {
    ...settings.retryDelaysSeconds,
    flag: "retry-delays",
    variable: "HOOKWRIGHT_RETRY_DELAYS",
    allowed: "1 to 100 numbers of seconds from 0.05 to 86400, separated by commas",
  },
  attemptTimeoutSeconds: {
    ...settings.attemptTimeoutSeconds,
    flag: "attempt-timeout",
    variable: "HOOKWRIGHT_ATTEMPT_TIMEOUT",
  },
  endpointBackoffSeconds: {
    ...settings.endpointBackoffSeconds,
    flag: "endpoint-backoff",
    variable: "HOOKWRIGHT_ENDPOINT_BACKOFF",
  },
  switchOffAfter: {
    ...settings.switchOffAfter,
    flag: "switch-off-after",
    variable: "HOOKWRIGHT_SWITCH_OFF_AFTER",
  },
  obeyRetryAfter: {
    ...settings.obeyRetryAfter,
    ...onOrOff,
    flag: "obey-retry-after",
    variable: "HOOKWRIGHT_OBEY_RETRY_AFTER",
    bare: "on",
  },
  standardWebhooks: {
    ...settings.standardWebhooks,
    ...onOrOff,
    flag: "standard-webhooks",
    variable: "HOOKWRIGHT_STANDARD_WEBHOOKS",
    bare: "on",
  },
  headerPrefix: { ...settings.headerPrefix, flag: "header-prefix", variable: "HOOKWRIGHT_HEADER_PREFIX" },
  builtInEvents: {
    ...settings.builtInEvents,
    allowed: "on, off, or events of the specification separated by commas, such as order.created,order.paid",
    shownDefault: "on",
    flag: "built-in-events",
    variable: "HOOKWRIGHT_BUILT_IN_EVENTS",
    explain: () => `Those events are ${eventNames.join(", ")}.`,
  },
  bodyForm: { ...settings.bodyForm, flag: "body-form", variable: "HOOKWRIGHT_BODY_FORM" },
  trustProxy: { ...settings.trustProxy, flag: "trust-proxy", variable: "HOOKWRIGHT_TRUST_PROXY" },
  privateTargets: define<boolean>({
    ...settings.privateTargets,
    flag: "private-targets",
    variable: "HOOKWRIGHT_PRIVATE_TARGETS",
    allowed: "deny or allow",
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
  deliveryClientCert: {
    ...pemFile,
    flag: "delivery-client-cert",
    variable: "HOOKWRIGHT_DELIVERY_CLIENT_CERT",
    description: "PEM file with the client certificate for endpoints that ask for one",
  },
  deliveryClientKey: {
    ...pemFile,
    flag: "delivery-client-key",
    variable: "HOOKWRIGHT_DELIVERY_CLIENT_KEY",
    description: "PEM file with the private key of that certificate",
    secret: true,
  },
  deliveryCa: {
    ...pemFile,
    flag: "delivery-ca",
    variable: "HOOKWRIGHT_DELIVERY_CA",
    description: "PEM file with certificate authorities of endpoints, beside those that Node trusts",
  },
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
  rateLimitPerMinute: { ...settings.rateLimitPerMinute, variable: "HOOKWRIGHT_RATE_LIMIT" },
  consoleRateLimitPerMinute: {
    ...settings.consoleRateLimitPerMinute,
    variable: "HOOKWRIGHT_CONSOLE_RATE_LIMIT",
  },
  sendsPerMinute: { ...settings.sendsPerMinute, variable: "HOOKWRIGHT_SENDS_PER_MINUTE" },
  maxConnections: define<number | undefined>({
    ...wholeNumberSetting({
      description: "Maximum number of concurrent client connections. Event streams use at most half of them",
      minimum: 1,
      maximum: 1_000_000,
      fallback: 1,
    }),
    flag: "max-connections",
    variable: "HOOKWRIGHT_MAX_CONNECTIONS",
    fallback: undefined,
    shownDefault: "1/4 of the open-files limit",
  }),
  headersTimeoutSeconds: {
    ...decimalSetting({
      description: "Seconds within which a client must send the headers of a request",
      minimum: 0.1,
      maximum: 3_600,
      fallback: 10,
      unit: "seconds",
    }),
    variable: "HOOKWRIGHT_HEADERS_TIMEOUT",
  },
  requestTimeoutSeconds: {
    ...decimalSetting({
      description: "Seconds within which a client must send a complete request",
      minimum: 0.1,
      maximum: 3_600,
      fallback: 30,
      unit: "seconds",
    }),
    variable: "HOOKWRIGHT_REQUEST_TIMEOUT",
  },
  consoleTokenSeconds: { ...settings.consoleTokenSeconds, variable: "HOOKWRIGHT_CONSOLE_TTL" },
  retentionDays: { ...settings.retentionDays, variable: "HOOKWRIGHT_RETENTION_DAYS" },
  auditRetentionDays: { ...settings.auditRetentionDays, variable: "HOOKWRIGHT_AUDIT_RETENTION_DAYS" },
  keepBodies: { ...settings.keepBodies, variable: "HOOKWRIGHT_KEEP_BODIES" },
  deliveryLogMiB: { ...settings.deliveryLogMiB, variable: "HOOKWRIGHT_DELIVERY_LOG_MIB" },
  metrics: { ...settings.metrics, variable: "HOOKWRIGHT_METRICS" },
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
    parse: (text) => logLevels.find((level) => level === text),
  }),
  operatorConsole: { ...settings.operatorConsole, ...onOrOff, variable: "HOOKWRIGHT_OPERATOR_CONSOLE" },
  accessLog: { ...settings.accessLog, ...onOrOff, variable: "HOOKWRIGHT_ACCESS_LOG" },
  attemptLog: { ...settings.attemptLog, ...onOrOff, variable: "HOOKWRIGHT_ATTEMPT_LOG" },
  commit: define<string | undefined>({
    variable: "HOOKWRIGHT_COMMIT",
    description: "The commit of this build, for the metric hookwright_build_info",
    allowed: "at most 64 letters, digits, dots and hyphens",
    fallback: undefined,
    parse: (text) => (/^[\w.-]{1,64}$/u.test(text) ? text : undefined),
  }),
  demoTraffic: {
    ...switchSetting("off: the demo does not publish an order every three seconds. Only with --demo", true),
    ...onOrOff,
    flag: "demo-traffic",
    variable: "HOOKWRIGHT_DEMO_TRAFFIC",
    bare: "on",
  },
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

/** Refuses the content of a certificate or key in place of its path. */
function parseFilePath(text: string): string | undefined {
  return explainHome(text) === undefined && !/\0|-----BEGIN/u.test(text) ? text : undefined;
}

function define<Value>(option: Option<Value>): Option<Value> {
  return option;
}
