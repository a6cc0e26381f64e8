import { openFilesLimit } from "@hookwright/api";
import { logLines } from "@hookwright/domain";
import type { LogCode } from "@hookwright/domain";
import { connectionLimits, describeReducedLimits } from "../connection-limits.ts";
import type { HookwrightOptions } from "./options.ts";
import type { CheckedOptions } from "./read-options.ts";

/** What is allowed but may be a mistake. */
export interface StartWarning {
  /** That of the log line. */
  readonly code: LogCode;
  /** A sentence without secrets. */
  readonly message: string;
  readonly fields?: Readonly<Record<string, number>> | undefined;
}

/** A shorter token could be guessed. */
const minimumTokenLength = 16;

/** Finds what is allowed but may be a mistake. `createHookwright` writes one log line for each. */
export function listStartWarnings(
  { role, privateTargets, hostTokens, egress }: CheckedOptions,
  { metricsToken }: Pick<HookwrightOptions, "metricsToken">,
): readonly StartWarning[] {
  const openFiles = openFilesLimit();
  const warnings: StartWarning[] = [];
  const warn = (code: LogCode, fields?: Readonly<Record<string, number>>): void =>
    void warnings.push({ code, message: logLines[code].message, fields });
  if (privateTargets) warn("private_targets_allowed");
  if (hostTokens.some(({ token }) => isShort(token))) warn("host_token_short");
  if (metricsToken !== undefined && isShort(metricsToken)) warn("metrics_token_short");
  if (egress.proxy !== undefined) warn("proxy_checks_addresses");
  const reduced = describeReducedLimits(connectionLimits(openFiles), openFiles);
  if (reduced !== undefined && role !== "api") warn("open_files_limit_low", reduced);
  return warnings;
}

function isShort(token: string): boolean {
  return token.length < minimumTokenLength;
}
