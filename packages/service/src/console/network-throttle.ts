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
}

/** Enough for an office with one address, and too few to guess passwords of many accounts. */
const maximumFailures = 30;
const maximumNetworks = 10_000;

/**
 * Limits the failed sign-ins of one network, over all accounts. Each process counts in its own memory.
 *
 * A private address that no trusted proxy reported is not counted. It may be a proxy, and one attacker would lock out all its users.
 */
export function createNetworkThrottle({ now }: { readonly now: () => number }): NetworkThrottle {
  /** The failure times by network. A new failure moves the network to the end, so the first entry is the least recent one. */
  const failures = new Map<string, readonly number[]>();

  function recentOf(network: string): readonly number[] {
    const at = now();
    const recent = (failures.get(network) ?? []).filter((time) => isWithinWindow(time, at));
    const [oldest = at] = recent;
    if (recent.length >= maximumFailures) throw tooManyFailures("from this network", oldest + windowMs - at);
    return recent;
  }

  return {
    check(client) {
      if (isCounted(client)) recentOf(toClientNetwork(client.clientAddress));
    },
    take(client) {
      if (!isCounted(client)) return () => {};
      const network = toClientNetwork(client.clientAddress);
      const at = now();
      const recent = recentOf(network);
      failures.delete(network);
      failures.set(network, [...recent, at]);
      const [oldest] = failures.keys();
      if (failures.size > maximumNetworks && oldest !== undefined) failures.delete(oldest);
      return () => {
        const counted = failures.get(network) ?? [];
        const index = counted.indexOf(at);
        if (index === -1) return;
        if (counted.length === 1) failures.delete(network);
        else failures.set(network, counted.toSpliced(index, 1));
      };
    },
  };
}

function isCounted({ clientAddress, isForwarded = false }: ClientAddress): boolean {
  return clientAddress !== undefined && (isForwarded || isPublicAddress(clientAddress));
}
