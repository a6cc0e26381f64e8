import { isPublicAddress } from "@hookwright/delivery";
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
   * @returns removes this attempt again: it did not fail
   * @throws HookwrightError `rate_limited`
   */
  take(client: ClientAddress): () => void;
}

/** More than the people of one office need, and far fewer than guessing over many accounts needs. */
const maximumFailures = 30;
const maximumNetworks = 10_000;

/**
 * Limits the failed sign-ins of one network, over all accounts. Each process counts in its own memory.
 *
 * A private address that no trusted proxy named is not counted. It may be a proxy itself, and then one guesser would lock out
 * everybody behind it.
 */
export function createNetworkThrottle({ now }: { readonly now: () => number }): NetworkThrottle {
  /** The times of the failures of each network. A network that fails again moves to the end, so the first one is the oldest. */
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
