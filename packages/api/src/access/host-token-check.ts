import { hash, timingSafeEqual } from "node:crypto";
import { checkHostTokens, HookwrightError, parseHostTokens } from "@hookwright/domain";
import type { HostScope, HostToken } from "@hookwright/domain";
import { ApiError } from "../api-error.ts";

export interface HostTokenCheckOptions {
  readonly hostTokens: readonly HostToken[];
  /** The token that reads only `/metrics`. */
  readonly metricsToken: string | undefined;
}

/** The token checks of the host API and of `/metrics`. */
export interface HostTokenCheck {
  readonly isHostToken: (token: string) => boolean;
  /**
   * Finds the token.
   *
   * @throws HookwrightError `invalid_api_key`; `forbidden` if the token does not have the scope
   */
  expectScope(token: string, scope: HostScope | undefined): Omit<HostToken, "token">;
  /** Accepts the metrics token and every host token. @throws HookwrightError `invalid_api_key` */
  expectMetricsToken(token: string): void;
}

/**
 * Compares digests, because they have a fixed length, and always compares all of them. The duration therefore reveals
 * neither the length of a token nor the position of a wrong character nor which token matches.
 */
export function createHostTokenCheck({ hostTokens, metricsToken }: HostTokenCheckOptions): HostTokenCheck {
  const known = hostTokens.map((hostToken) => ({ hostToken, expected: digest(hostToken.token) }));
  const ofMetrics = metricsToken === undefined ? undefined : digest(metricsToken);

  function find(token: string): HostToken | undefined {
    const given = digest(token);
    let found: HostToken | undefined;
    for (const { hostToken, expected } of known) if (timingSafeEqual(given, expected)) found = hostToken;
    return found;
  }

  return {
    isHostToken: (token) => find(token) !== undefined,
    expectScope(token, scope) {
      const found = find(token);
      if (found === undefined) throw new HookwrightError("invalid_api_key", "The host token is wrong.");
      if (scope === undefined || found.scopes.includes(scope))
        return { name: found.name, scopes: found.scopes };
      throw new HookwrightError(
        "forbidden",
        `The host token "${found.name}" does not have the scope "${scope}", which this route needs.`,
      );
    },
    expectMetricsToken(token) {
      const isHost = find(token) !== undefined;
      const isMetrics = ofMetrics !== undefined && timingSafeEqual(digest(token), ofMetrics);
      if (!isHost && !isMetrics) throw new HookwrightError("invalid_api_key", "The token is wrong.");
    },
  };
}

/** @throws ApiError `invalid_host_token` */
export function readHostTokens(given: string | readonly HostToken[] | undefined = ""): readonly HostToken[] {
  if (given.length === 0) return [];
  const parsed = typeof given === "string" ? parseHostTokens(given) : checkHostTokens(given);
  if (parsed.ok) return parsed.tokens;
  throw new ApiError("invalid_host_token", `hostToken: ${parsed.problems.join("; ")}`);
}

function digest(token: string): Uint8Array {
  return hash("sha256", token, "buffer");
}
