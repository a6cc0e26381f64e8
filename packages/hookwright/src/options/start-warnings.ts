import { openFilesLimit } from "@hookwright/api";
import { logLines } from "@hookwright/domain";
import type { HostToken, LogCode } from "@hookwright/domain";
import { connectionLimits, describeReducedLimits } from "../connection-limits.ts";
import type { Role } from "./options.ts";

/** What is allowed but may be a mistake. */
export interface StartWarning {
  /** That of the log line. */
  readonly code: LogCode;
  /** A sentence without secrets. */
  readonly message: string;
  readonly fields?: Readonly<Record<string, number>> | undefined;
}

export interface StartFacts {
  readonly role: Role;
  readonly privateTargets: boolean;
  readonly hostTokens: readonly Pick<HostToken, "token">[];
  readonly metricsToken: string | undefined;
  /** Whether deliveries go through a proxy. */
  readonly hasProxy: boolean;
  /** The limit of open files of the process. @default that of this process */
  readonly openFiles?: number | undefined;
}

/** A shorter token could be guessed. */
const minimumTokenLength = 16;

/** Finds what is allowed but may be a mistake. `createHookwright` writes one log line for each. */
export function listStartWarnings(facts: StartFacts): readonly StartWarning[] {
  const { role, privateTargets, hostTokens, metricsToken, hasProxy, openFiles = openFilesLimit() } = facts;
  const warnings: StartWarning[] = [];
  const warn = (code: LogCode, fields?: Readonly<Record<string, number>>): void =>
    void warnings.push({ code, message: logLines[code].message, fields });
  if (privateTargets) warn("private_targets_allowed");
  if (hostTokens.some(({ token }) => isShort(token))) warn("host_token_short");
  if (metricsToken !== undefined && isShort(metricsToken)) warn("metrics_token_short");
  if (hasProxy) warn("proxy_checks_addresses");
  const reduced = describeReducedLimits(connectionLimits(openFiles), openFiles);
  if (reduced !== undefined && role !== "api") warn("open_files_limit_low", reduced);
  return warnings;
}

function isShort(token: string): boolean {
  return token.length < minimumTokenLength;
}
