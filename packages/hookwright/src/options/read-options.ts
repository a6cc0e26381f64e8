import process from "node:process";
import type { SiteFile } from "@hookwright/console";
import {
  createEventRegistry,
  defaultAllowedTargetPorts,
  defaultHeaderPrefix,
  isProduction,
  parseAllowedTargets,
  parsePublicUrl,
  settingNames,
  settings,
} from "@hookwright/domain";
import type {
  AllowedTargets,
  DeliveryRules,
  ChangeableRegistry,
  HostToken,
  SettingValues,
} from "@hookwright/domain";
import { isLogger } from "../log/logger.ts";
import { ConfigurationError } from "@hookwright/domain";
import type { OptionProblem } from "@hookwright/domain";
import type { HookwrightOptions } from "./options.ts";
import { readDeveloperSite } from "./read-developer-site.ts";
import { readEgress } from "./read-egress.ts";
import type { Egress } from "./read-egress.ts";
import { readHostTokens } from "./read-host-tokens.ts";
import { storeProblem } from "./store-problem.ts";

export interface CheckedOptions extends SettingValues<typeof settings> {
  readonly basePath: string;
  /** Empty without the developer site. */
  readonly pages: readonly SiteFile[];
  /** Without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** Empty if there is no host API. */
  readonly hostTokens: readonly HostToken[];
  /** The events of the specification and those of the host. */
  readonly events: ChangeableRegistry;
  readonly allowedTargets: AllowedTargets | undefined;
  readonly egress: Egress;
  readonly attemptTimeoutMs: number;
  readonly maximumBackoffMs: number;
  /** Of accounts without rules of their own. */
  readonly deliveryRules: DeliveryRules;
  readonly retentionMs: number;
  readonly auditRetentionMs: number;
  readonly deliveryLogBytes: number;
  readonly bodyMemoryBytes: number;
  /** Whole milliseconds since the epoch, if the host passed its own clock. */
  readonly now: (() => number) | undefined;
}

const minimumSecret = 32;
const millisecondsOfADay = 86_400_000;
const mebibyte = 2 ** 20;
const hostBodyLimitBytes = 16 * mebibyte;

/**
 * Checks all options at run time, because programs without types and options from variables bypass the compiler.
 * `"deny"` must not allow private targets, and a delay that is a text must not stop deliveries.
 *
 * @throws ConfigurationError `invalid_option`, which names every invalid option
 */
export function readOptions(options: HookwrightOptions): CheckedOptions {
  if (typeof options !== "object" || options === null)
    throw new ConfigurationError({ option: "options", message: "are required: at least { store, secret }" });
  const { store, secret, previousSecrets = [], basePath = "" } = options;
  const { mailer, onNotice, logger, now, buildCommit = "", developerSite = true, maxConnections } = options;
  const { readinessWarnings } = options;
  const { events = {}, contacts, orders, blogPosts, onSubscribed, outbox } = options;
  const { allowedTargetPorts = defaultAllowedTargetPorts } = options;
  const { trustedOrigins = [], allowTargets = [], corsOrigins = [] } = options;

  const problems: OptionProblem[] = [];
  const expect = (option: string, holds: boolean, message: string): void => {
    if (!holds) problems.push({ option, message });
  };
  const expectOrigins = (option: string, origins: unknown): void => {
    const holds = Array.isArray(origins) && origins.every(isOrigin);
    const example = "https://app.example.com";
    expect(option, holds, `must be a list of origins, such as ${example}, without a slash at the end`);
  };
  const expectFunctions = (option: string, value: unknown, functions: readonly string[]): void => {
    const names = functions.map((name) => `\`${name}\``);
    const listed = [...names.slice(0, -2), names.slice(-2).join(" and ")].join(", ");
    const message = `must be an object with ${functions.length === 1 ? "a function" : "the functions"} ${listed}`;
    expect(option, value === undefined || functions.every((name) => hasFunction(value, name)), message);
  };

  const values = readSettings(options, expect);
  const { privateTargets, operatorConsole, bodyLimitBytes, headerPrefix, builtInEvents } = values;
  const { bodyMemoryBytes = Math.max(32 * mebibyte, 4 * bodyLimitBytes) } = options;
  const problemOfStore = storeProblem(store);
  if (problemOfStore !== undefined) problems.push({ option: "store", message: problemOfStore });
  expect(
    "secret",
    isSecret(secret),
    `must be text of at least ${minimumSecret} characters. \`openssl rand -base64 32\` creates one`,
  );
  expect(
    "previousSecrets",
    Array.isArray(previousSecrets) && previousSecrets.every(isSecret),
    `must be a list of texts of at least ${minimumSecret} characters each`,
  );
  expect(
    "basePath",
    basePath === "" || (typeof basePath === "string" && /^(?:\/[\w.~-]+)+$/u.test(basePath)),
    "must begin with a slash and not end with one, such as /integrations",
  );
  const publicUrl = typeof options.publicUrl === "string" ? parsePublicUrl(options.publicUrl) : undefined;
  expect(
    "publicUrl",
    options.publicUrl === undefined || publicUrl !== undefined,
    "must be an https: or http: URL without a query, such as https://shop.example.com/integrations",
  );
  const { hostTokens, problems: problemsOfTokens } = readHostTokens(options);
  problems.push(...problemsOfTokens);
  const hasHostToken = problemsOfTokens.length > 0 || hostTokens.length > 0;
  expect(
    "operatorConsole",
    !operatorConsole || (hasHostToken && developerSite !== false),
    "needs `hostToken`, and `developerSite` must not be false",
  );
  const site = readDeveloperSite(developerSite, {
    operator: operatorConsole,
    headerPrefix: headerPrefix === defaultHeaderPrefix ? undefined : headerPrefix,
  });
  if (!site.ok) problems.push({ option: "developerSite", message: site.problem });
  expect(
    "buildCommit",
    typeof buildCommit === "string" && /^[\w.-]{0,64}$/u.test(buildCommit),
    "must be text of at most 64 letters, digits, dots and hyphens",
  );
  expect(
    "readinessWarnings",
    readinessWarnings === undefined || typeof readinessWarnings === "function",
    "must be a function that returns a list of texts",
  );
  expect(
    "privateTargets",
    !privateTargets || !isProduction(process.env),
    "must be false when NODE_ENV is production. It is only for development",
  );
  expectOrigins("trustedOrigins", trustedOrigins);
  const areTexts = Array.isArray(allowTargets) && allowTargets.every((each) => typeof each === "string");
  expect("allowTargets", areTexts, "must be a list of host names, IP addresses and networks");
  const allowed = parseAllowedTargets(areTexts ? allowTargets : []);
  expect(
    "allowTargets",
    allowed.ok,
    `must be a list of private targets: ${allowed.ok ? "" : allowed.reason}`,
  );
  expect(
    "allowedTargetPorts",
    Array.isArray(allowedTargetPorts) &&
      allowedTargetPorts.length > 0 &&
      allowedTargetPorts.every(isAllowedPort),
    "must be a list of ports from 1 to 65535 and ranges of them, such as [443, 8443, [1024, 65535]]",
  );
  expectOrigins("corsOrigins", corsOrigins);
  const { egress, problems: problemsOfEgress } = readEgress(options.egress);
  problems.push(...problemsOfEgress);
  expect(
    "maxConnections",
    maxConnections === undefined ||
      (Number.isInteger(maxConnections) && isWithin(maxConnections, 1, 1_000_000)),
    "must be a whole number from 1 to 1000000",
  );
  // An account may use a quarter of the memory, and the host all of it. The longest body must fit.
  const minimumMemory = Math.max(hostBodyLimitBytes, 4 * bodyLimitBytes);
  expect(
    "bodyMemoryBytes",
    options.bodyMemoryBytes === undefined ||
      (Number.isInteger(bodyMemoryBytes) &&
        isWithin(bodyMemoryBytes, minimumMemory, Number.MAX_SAFE_INTEGER)),
    `must be a whole number of bytes, at least ${minimumMemory}: four times bodyLimitBytes and not below 16 MiB`,
  );
  const creation = createEventRegistry(events, builtInEvents);
  if (!creation.ok)
    for (const { event, message } of creation.problems)
      problems.push({ option: event === undefined ? "events" : `events.${event}`, message });
  expectFunctions("contacts", contacts, ["get", "list", "upsert"]);
  expectFunctions("orders", orders, ["get", "list"]);
  expectFunctions("blogPosts", blogPosts, ["create"]);
  expectFunctions("mailer", mailer, ["send"]);
  expect(
    "outbox",
    outbox === undefined || isOutboxOptions(outbox),
    "must be { url } or { pool }: the URL of a PostgreSQL database, or a Pool of pg; or { notify: false }",
  );
  expect(
    "onSubscribed",
    onSubscribed === undefined || typeof onSubscribed === "function",
    "must be a function that takes a subscriber",
  );
  expect(
    "onNotice",
    onNotice === undefined || typeof onNotice === "function",
    "must be a function that takes a notice",
  );
  expect(
    "logger",
    logger === undefined || isLogger(logger),
    "must have the functions info, warn and error, as `console` and Fastify's `app.log` do. Wrap a logger that takes the fields first in pinoLogger(…)",
  );
  expect(
    "now",
    now === undefined || isClock(now),
    "must be a function that returns milliseconds, such as Date.now",
  );
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigurationError(first, ...others);
  if (!creation.ok) throw new ConfigurationError({ option: "events", message: "are not valid" });
  return {
    ...values,
    basePath,
    publicUrl,
    hostTokens,
    pages: site.ok ? site.pages : [],
    events: creation.registry,
    allowedTargets: allowed.ok ? allowed.targets : undefined,
    egress,
    attemptTimeoutMs: Math.round(values.attemptTimeoutSeconds * 1_000),
    maximumBackoffMs: Math.round(values.endpointBackoffSeconds * 1_000),
    deliveryRules: {
      switch_off_after: values.switchOffAfter,
      retry_delays_seconds: [...values.retryDelaysSeconds],
      endpoint_backoff_seconds: values.endpointBackoffSeconds,
    },
    retentionMs: values.retentionDays * millisecondsOfADay,
    auditRetentionMs: values.auditRetentionDays * millisecondsOfADay,
    deliveryLogBytes: values.deliveryLogMiB * mebibyte,
    bodyMemoryBytes,
    now: now && (() => Math.floor(now())),
  };
}

/** An invalid value becomes the default, so that the other options are still checked. */
function readSettings(
  options: HookwrightOptions,
  expect: (option: string, holds: boolean, message: string) => void,
): SettingValues<typeof settings>;
function readSettings(
  options: HookwrightOptions,
  expect: (option: string, holds: boolean, message: string) => void,
): unknown {
  return Object.fromEntries(
    settingNames.map((name) => {
      const { isValid, allowed, fallback } = settings[name];
      const { [name]: value = fallback } = options;
      expect(name, isValid(value), `must be ${allowed}`);
      return [name, isValid(value) ? value : fallback];
    }),
  );
}

/** True for an `Origin` header as browsers send it: no path, no default port, lower case. */
function isClock(value: unknown): boolean {
  if (typeof value !== "function") return false;
  try {
    return Number.isFinite(value());
  } catch {
    return false; // Reported together with the other problems.
  }
}

function isSecret(value: unknown): boolean {
  return typeof value === "string" && value.length >= minimumSecret;
}

/** The database checks the rest when it is opened. */
function isOutboxOptions(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { notify } = "notify" in value ? value : {};
  if (notify !== undefined && typeof notify !== "boolean") return false;
  if ("pool" in value && value.pool !== undefined) return hasFunction(value.pool, "connect");
  return "url" in value ? typeof value.url === "string" : notify !== undefined;
}

function isOrigin(value: unknown): boolean {
  return typeof value === "string" && URL.parse(value)?.origin === value;
}

/** A port, or the first and the last port of a range. */
function isAllowedPort(value: unknown): boolean {
  if (!Array.isArray(value)) return isPort(value);
  return value.length === 2 && value.every(isPort) && value[0] <= value[1];
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && isWithin(value, 1, 65_535);
}

function hasFunction(value: unknown, name: string): boolean {
  // A class has its methods in its prototype.
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  return typeof Reflect.get(value, name) === "function";
}

function isWithin(value: unknown, minimum: number, maximum: number): boolean {
  return typeof value === "number" && value >= minimum && value <= maximum;
}
