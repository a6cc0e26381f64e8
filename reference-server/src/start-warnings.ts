import { describeUnknownVariables } from "./options/unknown-variables.ts";
import type { Settings } from "./options/read-settings.ts";
import type { Environment } from "./program.ts";

/** Short enough to be guessed by whoever can try it often. */
const shortestHostToken = 16;

/** What is allowed, and may not be what was meant: a line of the log each. */
export function listStartWarnings(
  settings: Pick<Settings, "privateTargets" | "hostToken" | "role" | "demo">,
  environment: Environment,
): readonly string[] {
  const { privateTargets, hostToken, role, demo } = settings;
  const warnings = [...describeUnknownVariables(environment)];
  if (privateTargets) {
    warnings.push(
      "PRIVATE TARGETS ARE ALLOWED: webhooks reach every address of this network, over plain http too. For trials only.",
    );
  }
  // A demo makes a token of its own, and a worker serves no host API anyway.
  if (hostToken === undefined && !demo && role !== "worker") {
    warnings.push(
      "HOOKWRIGHT_HOST_TOKEN is not set, so there is no host API: nobody can make accounts or publish events here",
    );
  }
  if (hostToken !== undefined && hostToken.length < shortestHostToken) {
    warnings.push(
      `HOOKWRIGHT_HOST_TOKEN has fewer than ${shortestHostToken} characters and could be guessed; \`openssl rand -base64 32\` makes a good one`,
    );
  }
  return warnings;
}
