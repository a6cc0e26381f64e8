import { isPublicAddress } from "@hookwright/domain";
import { isWithinWindow, windowMs } from "../limits/request-window.ts";
import type { ClientAddress } from "../use-cases.ts";
import { toClientNetwork } from "./client-network.ts";
import { tooManyFailures } from "./too-many-sign-ins.ts";

export interface NetworkThrottle {
  /** @throws HookwrightError `rate_limited` after 30 failures of the client's network in a minute */
  check(client: ClientAddress): void;
  /**
   * Counts an attempt before its password is checked.
   *
   * @returns a function that removes this attempt from the count, because it did not fail
   * @throws HookwrightError `rate_limited`
   */
  take(client: ClientAddress): () => void;
  /** The failures of a network in the last minute. To those of an IPv6 network it adds those of its `/48`, which one attacker may have. */
  failuresOf(network: string): number;
}

export interface NetworkThrottleOptions {
  readonly now: () => number;
  /** What is counted, for the message. @default "failed sign-ins" */
  readonly counted?: string | undefined;
  /** Whether private addresses that may be proxies are refused too. @default false */
  readonly refusesProxies?: boolean | undefined;
}

/** Enough for an office with one address, and too few to guess passwords of many accounts. */
const maximumFailures = 30;
const maximumNetworks = 10_000;

/**
 * Limits the failures of one network, over all accounts. Each process counts in its own memory.
 *
 * A private address that no trusted proxy reported is not refused. It may be a proxy, and one attacker would lock out all its users.
 */
export function createNetworkThrottle({
  now,
  counted = "failed sign-ins",
  refusesProxies = false,
}: NetworkThrottleOptions): NetworkThrottle {
  /** The failure times by network. A new failure moves the network to the end, so the first entry is the least recent one. */
  const failures = new Map<string, readonly number[]>();

  function recentOf(network: string): readonly number[] {
    const at = now();
    return (failures.get(network) ?? []).filter((time) => isWithinWindow(time, at));
  }

  function expectBelowLimit(client: ClientAddress): void {
    if (!refusesProxies && mayBeProxy(client)) return;
    const at = now();
    const recent = recentOf(toClientNetwork(client.clientAddress));
    const [oldest = at] = recent;
    if (recent.length >= maximumFailures)
      throw tooManyFailures(`${counted} from this network`, oldest + windowMs - at);
  }

  function add(network: string, at: number): void {
    const recent = recentOf(network);
    failures.delete(network);
    failures.set(network, [...recent, at].slice(-maximumFailures));
    const [oldest] = failures.keys();
    if (failures.size > maximumNetworks && oldest !== undefined) failures.delete(oldest);
  }

  function remove(network: string, at: number): void {
    const known = failures.get(network) ?? [];
    const index = known.indexOf(at);
    if (index === -1) return;
    if (known.length === 1) failures.delete(network);
    else failures.set(network, known.toSpliced(index, 1));
  }

  return {
    check: expectBelowLimit,
    take(client) {
      expectBelowLimit(client);
      const at = now();
      const network = toClientNetwork(client.clientAddress);
      const networks = [network, ...sitesOf(network)];
      for (const each of networks) add(each, at);
      return () => {
        for (const each of networks) remove(each, at);
      };
    },
    failuresOf(network) {
      const counts = [network, ...sitesOf(network)].map((each) => recentOf(each).length);
      return counts.reduce((sum, count) => sum + count);
    },
  };
}

/** The `/48` of a `/64`. A site may have a whole one (RFC 6177). */
function sitesOf(network: string): readonly string[] {
  return network.includes(":") ? [`${network.split(":").slice(0, 3).join(":")}::/48`] : [];
}

function mayBeProxy({ clientAddress, isForwarded = false }: ClientAddress): boolean {
  return clientAddress === undefined || (!isForwarded && !isPublicAddress(clientAddress));
}
