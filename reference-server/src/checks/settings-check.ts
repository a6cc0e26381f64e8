import { listStartWarnings } from "hookwright";
import { describeUnknownVariables } from "../options/unknown-variables.ts";
import type { Settings } from "../options/read-settings.ts";
import type { Environment } from "@hookwright/cli";
import { serverLogLines } from "../server-log-lines.ts";
import type { ServerLogCode } from "../server-log-lines.ts";
import { readTraceSettings } from "../tracing/read-trace-settings.ts";
import { ok, warning } from "./check.ts";
import type { Finding } from "./check.ts";

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

/** All warnings that a server with these settings logs at its start. */
export function checkSettings(settings: Settings, environment: Environment): Finding {
  const warnings = [
    ...listSettingWarnings(settings, environment),
    ...listStartWarnings(toFacts(settings)).filter(({ code }) => code !== "open_files_limit_low"),
  ].map(({ message }) => message);
  const traces = readTraceSettings(environment);
  if (traces !== undefined && "problem" in traces)
    warnings.push(`${serverLogLines.tracing_not_started.message} ${traces.problem}`);
  return warnings.length === 0 ? ok("all settings are as expected") : warning(warnings.join(" "));
}

/** The limit of this process: that of a server may differ. */
export function checkOpenFiles(settings: Settings): Finding {
  const low = listStartWarnings(toFacts(settings)).find(({ code }) => code === "open_files_limit_low");
  if (low === undefined) return ok("the limit for open files allows all attempts at once");
  const { open_files_limit: limit, open_files_needed: needed } = low.fields ?? {};
  return warning(`${low.message} It is ${limit}, and ${needed} are needed.`);
}

function toFacts({ role, privateTargets, hostToken = [], metricsToken, proxy }: Settings) {
  return { role, privateTargets, hostTokens: hostToken, metricsToken, hasProxy: proxy !== undefined };
}
