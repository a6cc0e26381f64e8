import { describeUnknownVariables } from "./options/unknown-variables.ts";
import type { Settings } from "./options/read-settings.ts";
import type { Environment } from "./program.ts";
import type { ServerLogCode } from "./server-log-lines.ts";

/** A shorter token could be guessed. */
const minimumTokenLength = 16;

export interface StartWarning {
  readonly code: ServerLogCode;
  /** A specific message. @default the message of the code */
  readonly message?: string;
}

/** Finds settings that are allowed but may be mistakes. Each becomes one log line. */
export function listStartWarnings(
  settings: Pick<
    Settings,
    "privateTargets" | "hostToken" | "metricsToken" | "smtpUrl" | "logLevel" | "role" | "demo"
  >,
  environment: Environment,
): readonly StartWarning[] {
  const { privateTargets, hostToken, metricsToken, smtpUrl, logLevel, role, demo } = settings;
  const warnings: StartWarning[] = describeUnknownVariables(environment).map((message) => ({
    code: "unknown_variable",
    message,
  }));
  if (privateTargets) warnings.push({ code: "private_targets_allowed" });
  // A demo creates its own token, and a worker has no host API.
  if (hostToken === undefined && !demo && role !== "worker") warnings.push({ code: "host_token_missing" });
  if (hostToken?.some(({ token }) => isShort(token)) === true) warnings.push({ code: "host_token_short" });
  if (metricsToken !== undefined && isShort(metricsToken)) warnings.push({ code: "metrics_token_short" });
  if (smtpUrl === undefined && (logLevel === "warn" || logLevel === "error"))
    warnings.push({ code: "mails_hidden" });
  return warnings;
}

function isShort(token: string): boolean {
  return token.length < minimumTokenLength;
}
