import { describeUnknownVariables } from "./options/unknown-variables.ts";
import type { Settings } from "./options/read-settings.ts";
import type { Environment } from "./program.ts";
import type { ServerLogCode } from "./server-log-lines.ts";

export interface StartWarning {
  readonly code: ServerLogCode;
  /** A specific message. @default the message of the code */
  readonly message?: string;
}

/** Finds settings that are allowed but may be mistakes, in addition to those of the library. Each becomes one log line. */
export function listStartWarnings(
  settings: Pick<Settings, "hostToken" | "smtpUrl" | "logLevel" | "role" | "demo">,
  environment: Environment,
): readonly StartWarning[] {
  const { hostToken, smtpUrl, logLevel, role, demo } = settings;
  const warnings: StartWarning[] = describeUnknownVariables(environment).map((message) => ({
    code: "unknown_variable",
    message,
  }));
  // A demo creates its own token, and a worker has no host API.
  if (hostToken === undefined && !demo && role !== "worker") warnings.push({ code: "host_token_missing" });
  if (smtpUrl === undefined && (logLevel === "warn" || logLevel === "error"))
    warnings.push({ code: "mails_hidden" });
  return warnings;
}
