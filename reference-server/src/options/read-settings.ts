import { eventNames, isProduction, namesOfBuiltIn } from "@hookwright/domain";
import type { SettingValues } from "@hookwright/domain";
import type { Environment } from "@hookwright/cli";
import { ServerError } from "../server-error.ts";
import { nameOf } from "./option.ts";
import type { Option } from "./option.ts";
import { defaultAdminHost, explainRefusal, options } from "./options.ts";
import { findTlsContradictions } from "./redis-tls-files.ts";
import { readSecretFiles } from "./secret-files.ts";
import { isServiceLink } from "./unknown-variables.ts";

/** All settings, checked. */
export interface Settings extends Omit<SettingValues<typeof options>, "log"> {
  readonly log: "pretty" | "json";
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

  const values = readAll(read);
  const settings: Settings = { ...values, log: values.log ?? (isTerminal ? "pretty" : "json"), demo };
  problems.push(...findContradictions(settings, environment));
  if (problems.length > 0) throw new ServerError("invalid_option", problems.join("\n            "));
  return settings;
}

/** The value of each option, by its name. */
function readAll(read: (option: Option<unknown>) => unknown): SettingValues<typeof options>;
function readAll(read: (option: Option<unknown>) => unknown): unknown {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, read(option)]));
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
  if (demo && namesOfBuiltIn(settings.builtInEvents).length < eventNames.length) {
    problems.push(
      `${nameOf(options.builtInEvents)} must be on with --demo, whose shop publishes all of them.`,
    );
  }
  if (storage.type !== "memory" && storage.type !== "file" && settings.secret === undefined) {
    const where = {
      redis: "Redis, to the same text in every process",
      postgres: "PostgreSQL, to the same text in every process",
      unstorage: "unstorage, to the same text at every start",
    }[storage.type];
    problems.push(`${nameOf(options.secret)} must be set with ${where}: ${options.secret.allowed}.`);
  }
  if (storage.type === "unstorage" && role !== "all") {
    problems.push(
      `${nameOf(options.role)} must be all with unstorage, which only one process can use, but is "${role}".`,
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
