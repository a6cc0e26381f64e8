import { describeUnknownVariables } from "../options/unknown-variables.ts";
import type { Settings } from "../options/read-settings.ts";
import type { Environment } from "@hookwright/cli";
import { serverLogLines } from "../server-log-lines.ts";
import type { ServerLogCode } from "../server-log-lines.ts";
import { readTraceSettings } from "../tracing/read-trace-settings.ts";

export interface SettingWarning {
  readonly code: ServerLogCode;
  readonly message: string;
}

/** Finds settings that are allowed but may be mistakes, in addition to those of the library. Each becomes one log line. */
export function listSettingWarnings(
  settings: Pick<Settings, "hostToken" | "smtpUrl" | "logLevel" | "role" | "demo">,
  environment: Environment,
): readonly SettingWarning[] {
  const { hostToken, smtpUrl, logLevel, role, demo } = settings;
  const warnings: SettingWarning[] = describeUnknownVariables(environment).map((message) => ({
    code: "unknown_variable",
    message,
  }));
  const warn = (code: ServerLogCode): void =>
    void warnings.push({ code, message: serverLogLines[code].message });
  // A demo creates its own token, and a worker has no host API.
  if (hostToken === undefined && !demo && role !== "worker") warn("host_token_missing");
  if (smtpUrl === undefined && (logLevel === "warn" || logLevel === "error")) warn("mails_hidden");
  return warnings;
}

/** What a server says of these settings at its start, in addition to the library. */
export function listServerWarnings(settings: Settings, environment: Environment): readonly string[] {
  const traces = readTraceSettings(environment);
  return [
    ...listSettingWarnings(settings, environment).map(({ message }) => message),
    ...(traces !== undefined && "problem" in traces
      ? [`${serverLogLines.tracing_not_started.message} ${traces.problem}`]
      : []),
  ];
}
