import { isProduction } from "@hookwright/domain";
import type { HostToken, Role } from "hookwright";
import type { LogLevel } from "../logger.ts";
import type { Environment } from "../program.ts";
import { ServerError } from "../server-error.ts";
import type { StorageLocation } from "../storage-location.ts";
import { nameOf } from "./option.ts";
import type { Option } from "./option.ts";
import { defaultAdminHost, explainRefusal, options } from "./options.ts";
import type { AllowedPort } from "./parse-lists.ts";
import { findTlsContradictions } from "./redis-tls-files.ts";
import { readSecretFiles } from "./secret-files.ts";
import { isServiceLink } from "./unknown-variables.ts";

/** All settings, checked. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly adminPort: number | undefined;
  readonly adminHost: string | undefined;
  readonly publicUrl: string | undefined;
  readonly storage: StorageLocation;
  readonly outbox: string | undefined;
  readonly outboxNotify: boolean;
  readonly poolSize: number;
  readonly redisCa: string | undefined;
  readonly redisCert: string | undefined;
  readonly redisKey: string | undefined;
  readonly role: Role;
  readonly secret: string | undefined;
  readonly secretPrevious: string | undefined;
  readonly hostToken: readonly HostToken[] | undefined;
  readonly retryDelaysSeconds: readonly number[];
  readonly attemptTimeoutSeconds: number;
  readonly endpointBackoffSeconds: number;
  readonly obeyRetryAfter: boolean;
  readonly standardWebhooks: boolean;
  readonly trustProxy: number;
  readonly privateTargets: boolean;
  readonly allowTargets: readonly string[];
  readonly allowedTargetPorts: readonly AllowedPort[];
  readonly proxy: string | undefined;
  readonly sourceAddress: string | undefined;
  readonly deliveryClientCert: string | undefined;
  readonly deliveryClientKey: string | undefined;
  readonly deliveryCa: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly rateLimitPerMinute: number;
  readonly consoleRateLimitPerMinute: number;
  readonly sendsPerMinute: number;
  readonly maxConnections: number | undefined;
  readonly headersTimeoutSeconds: number;
  readonly requestTimeoutSeconds: number;
  readonly consoleTokenSeconds: number;
  readonly retentionDays: number;
  readonly auditRetentionDays: number;
  readonly deliveryLogMiB: number;
  readonly metrics: "token" | "public";
  readonly metricsToken: string | undefined;
  readonly log: "pretty" | "json";
  readonly logLevel: LogLevel;
  readonly operatorConsole: boolean;
  readonly accessLog: boolean;
  readonly attemptLog: boolean;
  readonly commit: string | undefined;
  readonly demoTraffic: boolean;
  readonly demo: boolean;
}

export interface SettingsInput {
  /** The values of flags by name, without the dashes. A flag without a value is empty. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly demo: boolean;
  readonly environment: Environment;
  readonly isTerminal: boolean;
}

/**
 * Reads all options. A flag overrides its variable, and a variable overrides the default.
 *
 * @throws {ServerError} `invalid_option`, which names every invalid option
 */
export function readSettings({ flags, demo, environment: given, isTerminal }: SettingsInput): Settings {
  const files = readSecretFiles(Object.values(options), given);
  const { environment } = files;
  const problems = [...files.problems];

  function read<Value>(option: Option<Value>): Value {
    const flag = option.flag === undefined ? undefined : flags[option.flag];
    if (flag?.trim() === "") {
      problems.push(`${nameOf(option)} needs a value. It must be ${option.allowed}.`);
      return option.fallback;
    }
    // Container platforms pass variables without a value as empty ones.
    const text = (flag ?? environment[option.variable] ?? "").trim();
    if (text === "" || (flag === undefined && isServiceLink(option.variable, text))) return option.fallback;
    const value = option.parse(text);
    if (value !== undefined) return value;
    problems.push(explainRefusal(option, text));
    return option.fallback;
  }

  const settings: Settings = {
    port: read(options.port),
    host: read(options.host),
    adminPort: read(options.adminPort),
    adminHost: read(options.adminHost),
    publicUrl: read(options.publicUrl),
    storage: read(options.storage),
    outbox: read(options.outbox),
    outboxNotify: read(options.outboxNotify),
    poolSize: read(options.poolSize),
    redisCa: read(options.redisCa),
    redisCert: read(options.redisCert),
    redisKey: read(options.redisKey),
    role: read(options.role),
    secret: read(options.secret),
    secretPrevious: read(options.secretPrevious),
    hostToken: read(options.hostToken),
    retryDelaysSeconds: read(options.retryDelaysSeconds),
    attemptTimeoutSeconds: read(options.attemptTimeoutSeconds),
    endpointBackoffSeconds: read(options.endpointBackoffSeconds),
    obeyRetryAfter: read(options.obeyRetryAfter),
    standardWebhooks: read(options.standardWebhooks),
    trustProxy: read(options.trustProxy),
    privateTargets: read(options.privateTargets),
    allowTargets: read(options.allowTargets),
    allowedTargetPorts: read(options.allowedTargetPorts),
    proxy: read(options.proxy),
    sourceAddress: read(options.sourceAddress),
    deliveryClientCert: read(options.deliveryClientCert),
    deliveryClientKey: read(options.deliveryClientKey),
    deliveryCa: read(options.deliveryCa),
    smtpUrl: read(options.smtpUrl),
    mailFrom: read(options.mailFrom),
    rateLimitPerMinute: read(options.rateLimitPerMinute),
    consoleRateLimitPerMinute: read(options.consoleRateLimitPerMinute),
    sendsPerMinute: read(options.sendsPerMinute),
    maxConnections: read(options.maxConnections),
    headersTimeoutSeconds: read(options.headersTimeoutSeconds),
    requestTimeoutSeconds: read(options.requestTimeoutSeconds),
    consoleTokenSeconds: read(options.consoleTokenSeconds),
    retentionDays: read(options.retentionDays),
    auditRetentionDays: read(options.auditRetentionDays),
    deliveryLogMiB: read(options.deliveryLogMiB),
    metrics: read(options.metrics),
    metricsToken: read(options.metricsToken),
    logLevel: read(options.logLevel),
    operatorConsole: read(options.operatorConsole),
    accessLog: read(options.accessLog),
    attemptLog: read(options.attemptLog),
    commit: read(options.commit),
    demoTraffic: read(options.demoTraffic),
    log: read(options.log) ?? (isTerminal ? "pretty" : "json"),
    demo,
  };
  problems.push(...findContradictions(settings, environment));
  if (problems.length > 0) throw new ServerError("invalid_option", problems.join("\n            "));
  return settings;
}

/** Finds values that are valid alone but not together. */
function findContradictions(settings: Settings, environment: Environment): string[] {
  const { storage, role, demo, privateTargets } = settings;
  const problems: string[] = [];
  if (privateTargets && isProduction(environment)) {
    problems.push(
      `${nameOf(options.privateTargets)} must be deny when NODE_ENV is production. "allow" is only for development.`,
    );
  }
  if (demo && role !== "all") {
    problems.push(
      `${nameOf(options.role)} must be all with --demo, which shows a delivery from end to end, but is "${role}".`,
    );
  }
  if ((storage.type === "redis" || storage.type === "postgres") && settings.secret === undefined) {
    problems.push(
      `${nameOf(options.secret)} must be set with ${storage.type === "redis" ? "Redis" : "PostgreSQL"}, to the same text in every process: ${options.secret.allowed}.`,
    );
  }
  if (!settings.outboxNotify && settings.outbox === undefined && storage.type !== "postgres") {
    problems.push(
      `${nameOf(options.outboxNotify)} needs ${nameOf(options.outbox)}, or a storage in PostgreSQL.`,
    );
  }
  if (settings.adminHost !== undefined && settings.adminPort === undefined) {
    problems.push(`${nameOf(options.adminHost)} needs ${nameOf(options.adminPort)}.`);
  }
  const { adminHost = defaultAdminHost } = settings;
  if (settings.adminPort === settings.port && adminHost === settings.host && settings.port !== 0) {
    problems.push(`${nameOf(options.adminPort)} must differ from ${nameOf(options.port)}.`);
  }
  for (const log of ["accessLog", "attemptLog"] as const) {
    if (settings[log] && (settings.logLevel === "warn" || settings.logLevel === "error")) {
      problems.push(
        `${nameOf(options.logLevel)} must be info or debug with ${nameOf(options[log])} on, because its lines have the level info.`,
      );
    }
  }
  if (settings.operatorConsole && settings.hostToken === undefined && !demo) {
    problems.push(`${nameOf(options.operatorConsole)} needs ${nameOf(options.hostToken)}.`);
  }
  if (settings.hostToken?.some(({ token }) => token === settings.metricsToken) === true) {
    problems.push(
      `${nameOf(options.metricsToken)} must differ from the tokens of ${nameOf(options.hostToken)}, because it only reads /metrics.`,
    );
  }
  if (settings.headersTimeoutSeconds > settings.requestTimeoutSeconds) {
    problems.push(
      `${nameOf(options.headersTimeoutSeconds)} must not be longer than ${nameOf(options.requestTimeoutSeconds)}: ${settings.headersTimeoutSeconds} is more than ${settings.requestTimeoutSeconds}.`,
    );
  }
  problems.push(...findTlsContradictions(storage, settings));
  return problems;
}
