import type { LogCode } from "@hookwright/domain";
import type { HookwrightOptions } from "./options.ts";
import type { CheckedOptions } from "./read-options.ts";

/** A shorter token could be guessed. */
const minimumTokenLength = 16;

/** Finds options that are allowed but may be mistakes. Each becomes one log line. */
export function listStartWarnings(
  { privateTargets, metricsToken }: Pick<HookwrightOptions, "privateTargets" | "metricsToken">,
  { hostTokens, egress }: Pick<CheckedOptions, "hostTokens" | "egress">,
): readonly LogCode[] {
  const warnings: LogCode[] = [];
  if (privateTargets === true) warnings.push("private_targets_allowed");
  if (hostTokens.some(({ token }) => isShort(token))) warnings.push("host_token_short");
  if (metricsToken !== undefined && isShort(metricsToken)) warnings.push("metrics_token_short");
  if (egress.proxy !== undefined) warnings.push("proxy_checks_addresses");
  return warnings;
}

function isShort(token: string): boolean {
  return token.length < minimumTokenLength;
}
