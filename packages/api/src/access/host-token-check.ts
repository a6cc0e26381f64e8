import { hash, timingSafeEqual } from "node:crypto";
import { checkHostTokens, HookwrightError, parseHostTokens } from "@hookwright/domain";
import type { HostScope, HostToken } from "@hookwright/domain";
import { createNetworkThrottle, toClientNetwork } from "@hookwright/service";
import type { ClientAddress, FailedAuthentication } from "@hookwright/service";
import { ApiError } from "../api-error.ts";

export interface HostTokenCheckOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly hostTokens: readonly HostToken[];
  /** The token that reads only `/metrics`. */
  readonly metricsToken: string | undefined;
  readonly onFailedAuthentication?: ((failure: FailedAuthentication) => void) | undefined;
}

/** Reads the address of the client, which only a wrong token needs. */
type ReadClient = () => ClientAddress;

/** The token checks of the host API and of `/metrics`. */
export interface HostTokenCheck {
  readonly isHostToken: (token: string) => boolean;
  /**
   * Finds the token.
   *
   * @throws HookwrightError `invalid_api_key`; `rate_limited` after 30 wrong tokens of the network in a minute; `forbidden` if the
   * token does not have the scope
   */
  expectScope(token: string, scope: HostScope | undefined, readClient: ReadClient): Omit<HostToken, "token">;
  /** Accepts the metrics token and every host token. @throws HookwrightError `invalid_api_key`, `rate_limited` */
  expectMetricsToken(token: string, readClient: ReadClient): void;
}

/**
 * Compares digests, because they have a fixed length, and always compares all of them. The duration therefore reveals
 * neither the length of a token nor the position of a wrong character nor which token matches.
 *
 * Wrong tokens of a network are limited. The right one always passes: the program of the host may share its network with a guesser.
 */
export function createHostTokenCheck(options: HostTokenCheckOptions): HostTokenCheck {
  const { hostTokens, metricsToken, now, onFailedAuthentication } = options;
  const throttle = createNetworkThrottle({ now, counted: "wrong tokens", refusesProxies: true });
  const known = hostTokens.map((hostToken) => ({ hostToken, expected: digest(hostToken.token) }));
  const ofMetrics = metricsToken === undefined ? undefined : digest(metricsToken);

  function find(token: string): HostToken | undefined {
    const given = digest(token);
    let found: HostToken | undefined;
    for (const { hostToken, expected } of known) if (timingSafeEqual(given, expected)) found = hostToken;
    return found;
  }

  /** @throws HookwrightError `rate_limited`, `invalid_api_key` */
  function refuse(credential: "host_token" | "metrics_token", client: ClientAddress): never {
    onFailedAuthentication?.({ credential, network: toClientNetwork(client.clientAddress) });
    throttle.take(client);
    const name = credential === "host_token" ? "host token" : "token";
    throw new HookwrightError("invalid_api_key", `The ${name} is wrong.`);
  }

  return {
    isHostToken: (token) => find(token) !== undefined,
    expectScope(token, scope, readClient) {
      const found = find(token) ?? refuse("host_token", readClient());
      if (scope === undefined || found.scopes.includes(scope))
        return { name: found.name, scopes: found.scopes };
      throw new HookwrightError(
        "forbidden",
        `The host token "${found.name}" does not have the scope "${scope}", which this route needs.`,
      );
    },
    expectMetricsToken(token, readClient) {
      const isHost = find(token) !== undefined;
      const isMetrics = ofMetrics !== undefined && timingSafeEqual(digest(token), ofMetrics);
      if (!isHost && !isMetrics) refuse("metrics_token", readClient());
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
