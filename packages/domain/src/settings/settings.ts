import { bodyForms } from "../body-form.ts";
import { isEventName } from "../events/event-names.ts";
import type { BuiltInEvents, EventName } from "../events/event-names.ts";
import { keptBodies } from "../kept-bodies.ts";
import { decimalSetting, choiceSetting, switchSetting, wholeNumberSetting } from "./setting.ts";
import { switchOffAfterFailures } from "../failure-breaker.ts";
import { defaultHeaderPrefix, isHeaderPrefix, longestHeaderPrefix } from "../signed-headers.ts";
import type { Setting } from "./setting.ts";

const secondsOfADay = 86_400;
const many = 1_000_000_000;
const longestRetentionDays = 3_650;

const retryDelay = decimalSetting({ description: "", minimum: 0.05, maximum: secondsOfADay, fallback: 15 });
const maximumRetries = 100;

/** From each failed attempt to the next: one delay for each retry. */
const retryDelaysSeconds: Setting<readonly number[]> = {
  description: "Seconds from each failed attempt to the next. Fractions are allowed",
  allowed: `a list of at most ${maximumRetries} numbers from 0.05 to ${secondsOfADay}`,
  fallback: [15, 60, 240, 540, 900],
  isValid: (value): value is readonly number[] =>
    Array.isArray(value) && value.length <= maximumRetries && value.every(retryDelay.isValid),
  parse(text) {
    const delays = text.split(",").map((part) => retryDelay.parse(part.trim()));
    return delays.length <= maximumRetries && delays.every((delay) => delay !== undefined)
      ? delays
      : undefined;
  },
};

const switchOffAfterNumber = wholeNumberSetting({
  description: "",
  minimum: 1,
  maximum: 1_000,
  fallback: switchOffAfterFailures,
});

const switchOffAfter: Setting<number | "off"> = {
  description: "Failed attempts in a row after which a webhook is switched off. off: never",
  allowed: `${switchOffAfterNumber.allowed}, or off`,
  fallback: switchOffAfterFailures,
  isValid: (value): value is number | "off" => value === "off" || switchOffAfterNumber.isValid(value),
  parse: (text) => (text === "off" ? "off" : switchOffAfterNumber.parse(text)),
};

const headerPrefix: Setting<string> = {
  description: "Prefix of the names of the signed headers, such as X-Acme-Signature",
  allowed: `1 to ${longestHeaderPrefix} letters, digits and hyphens, such as X-Acme, with no hyphen at its ends, and must not begin with a word of other headers, such as webhook, proxy or content`,
  fallback: defaultHeaderPrefix,
  isValid: isHeaderPrefix,
  parse: (text) => (isHeaderPrefix(text) ? text : undefined),
};

const areEventNames = (value: unknown): value is readonly EventName[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string" && isEventName(name));

const builtInEvents: Setting<BuiltInEvents> = {
  description:
    "Events of the specification that this server has. off: only those of your own. A list: these, such as order.created,order.paid",
  allowed: "true, false, or a list of events of the specification, such as order.created",
  fallback: true,
  isValid: (value): value is BuiltInEvents => typeof value === "boolean" || areEventNames(value),
  parse(text) {
    if (text === "on" || text === "off") return text === "on";
    const names = text.split(",").map((name) => name.trim());
    return areEventNames(names) ? names : undefined;
  },
};

/** The simple settings of the library, and of the standalone server. Each is checked, described and given its default here only. */
export const settings = {
  role: choiceSetting(
    "all: serve and deliver. api: serve only. worker: deliver, and serve only the operations routes",
    ["all", "api", "worker"],
  ),
  retryDelaysSeconds,
  attemptTimeoutSeconds: decimalSetting({
    description: "Seconds within which an endpoint must respond",
    minimum: 0.1,
    maximum: 60,
    fallback: 10,
    unit: "seconds",
  }),
  endpointBackoffSeconds: decimalSetting({
    description: "Longest back-off in seconds for an endpoint that keeps failing. 0: no back-off",
    minimum: 0,
    maximum: secondsOfADay,
    fallback: 180,
    unit: "seconds",
  }),
  switchOffAfter,
  obeyRetryAfter: switchSetting("Obey Retry-After of a 429 or 503, up to the next step of the retry delays"),
  standardWebhooks: switchSetting("Deliveries also have the headers of Standard Webhooks"),
  headerPrefix,
  bodyForm: choiceSetting(
    "Form of the bodies of deliveries. hookwright: {id, event, project, data}. standard: {type, timestamp, data, id, project}",
    bodyForms,
  ),
  builtInEvents,
  trustProxy: wholeNumberSetting({
    description: "Number of trusted proxies that name the client in X-Forwarded-For, counted from the right",
    minimum: 0,
    maximum: 100,
    fallback: 0,
  }),
  privateTargets: switchSetting(
    "allow: webhooks may use private addresses, http: and all ports. Only for development",
  ),
  rateLimitPerMinute: wholeNumberSetting({
    description: "Maximum number of requests per account to /v1 in 60 seconds",
    minimum: 1,
    maximum: many,
    fallback: 200,
  }),
  consoleRateLimitPerMinute: wholeNumberSetting({
    description: "Maximum number of requests per account to the console API in 60 seconds",
    minimum: 1,
    maximum: many,
    fallback: 600,
  }),
  sendsPerMinute: wholeNumberSetting({
    description: "Maximum number of resends and tests per account in 60 seconds",
    minimum: 1,
    maximum: many,
    fallback: 60,
  }),
  consoleTokenSeconds: wholeNumberSetting({
    description: "Lifetime of a console token in seconds",
    minimum: 1,
    maximum: 365 * secondsOfADay,
    fallback: 3_600,
    unit: "seconds",
  }),
  retentionDays: decimalSetting({
    description: "Days that completed deliveries and requests stay in their logs",
    minimum: 1 / 24,
    shownMinimum: "0.042 (an hour)",
    maximum: longestRetentionDays,
    fallback: 30,
    unit: "days",
  }),
  auditRetentionDays: decimalSetting({
    description: "Days that entries of the audit log are kept, at most 10,000 of an account",
    minimum: 1,
    maximum: longestRetentionDays,
    fallback: 90,
    unit: "days",
  }),
  deliveryLogMiB: wholeNumberSetting({
    description:
      "Maximum size of each account's delivery log in MiB. The oldest completed deliveries are deleted first",
    minimum: 1,
    maximum: 1_048_576,
    fallback: 256,
    unit: "MiB",
  }),
  deliveriesKept: wholeNumberSetting({
    description: "Maximum number of deliveries in the log of one account",
    minimum: 1,
    maximum: many,
    fallback: 1_000_000,
  }),
  requestsKept: wholeNumberSetting({
    description: "Maximum number of requests in the log of one account",
    minimum: 1,
    maximum: many,
    fallback: 10_000,
  }),
  keepBodies: choiceSetting(
    "Bodies in the log of deliveries. all: kept with their delivery. until_accepted: removed when it is accepted. none: not stored",
    keptBodies,
  ),
  bodyLimitBytes: wholeNumberSetting({
    description: "Maximum size of the body of a request in bytes",
    minimum: 1,
    // The longest text that V8 can create from a body is a little shorter than this.
    maximum: 512 * 2 ** 20,
    fallback: 2 ** 20,
    unit: "bytes",
  }),
  metrics: choiceSetting(
    "Who may read /metrics. token: callers with the metrics token or a host token. public: everybody",
    ["token", "public"],
  ),
  adminListener: switchSetting("Only the admin handler serves /metrics"),
  operatorConsole: switchSetting("on: pages for the host's staff at /console#/operator, with a host token"),
  accessLog: switchSetting("on: one log line for each request, without personal data"),
  attemptLog: switchSetting("on: one log line for each delivery attempt, without personal data"),
} as const;

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings);

/** The values of a table of settings. */
export type SettingValues<Table extends Readonly<Record<string, { readonly fallback: unknown }>>> = {
  readonly [Name in keyof Table]: Table[Name]["fallback"];
};
