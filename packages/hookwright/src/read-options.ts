import { defaultRetryDelaysSeconds } from "@hookwright/domain";
import { ConfigurationError } from "./configuration-error.ts";
import type { HookwrightOptions, Role } from "./options.ts";

export interface CheckedOptions {
  readonly role: Role;
  readonly basePath: string;
  readonly retryDelaysSeconds: readonly number[];
  readonly attemptTimeoutMs: number;
  readonly rateLimitPerMinute: number;
}

const minimumSecret = 32;
const secondsOfADay = 86_400;
const roles: readonly string[] = ["all", "api", "worker"] satisfies Role[];

/** @throws ConfigurationError `invalid_option`, naming the option */
export function readOptions(options: HookwrightOptions): CheckedOptions {
  const { store, secret, role = "all", basePath = "", hostToken } = options;
  if (typeof store?.commit !== "function")
    throw new ConfigurationError("store", "is required: pass memoryStore(), or another store");
  if (typeof secret !== "string" || secret.length < minimumSecret) {
    throw new ConfigurationError(
      "secret",
      `must be text of at least ${minimumSecret} characters; \`openssl rand -base64 32\` makes one`,
    );
  }
  if (!roles.includes(role)) throw new ConfigurationError("role", `must be one of ${roles.join(", ")}`);
  if (basePath !== "" && !/^(?:\/[\w.~-]+)+$/u.test(basePath)) {
    throw new ConfigurationError(
      "basePath",
      "must begin with a slash and not end with one, such as /integrations",
    );
  }
  if (hostToken !== undefined && hostToken.trim() === "")
    throw new ConfigurationError("hostToken", "must not be empty; leave it out for no host API");
  const retryDelaysSeconds = options.retryDelaysSeconds ?? defaultRetryDelaysSeconds;
  if (retryDelaysSeconds.length > 100)
    throw new ConfigurationError("retryDelaysSeconds", "must have at most 100 delays");
  for (const seconds of retryDelaysSeconds) expectWithin("retryDelaysSeconds", seconds, 0.05, secondsOfADay);
  return {
    role,
    basePath,
    retryDelaysSeconds,
    attemptTimeoutMs: Math.round(
      expectWithin("attemptTimeoutSeconds", options.attemptTimeoutSeconds ?? 10, 0.1, 60) * 1_000,
    ),
    rateLimitPerMinute: expectWithin(
      "rateLimitPerMinute",
      options.rateLimitPerMinute ?? 200,
      1,
      1_000_000_000,
    ),
  };
}

function expectWithin(option: string, value: number, minimum: number, maximum: number): number {
  if (typeof value === "number" && value >= minimum && value <= maximum) return value;
  throw new ConfigurationError(option, `must be a number from ${minimum} to ${maximum}`);
}
