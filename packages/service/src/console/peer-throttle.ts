import { isPublicAddress } from "@hookwright/delivery";
import { isWithinWindow, windowMs } from "../limits/request-window.ts";
import { toPeerNetwork } from "./peer-network.ts";
import { tooManySignIns } from "./too-many-sign-ins.ts";

export interface PeerThrottle {
  /**
   * Counts a try from an address, before the password is looked at.
   *
   * @returns what takes the try back, once it was no failure
   * @throws HookwrightError `rate_limited` after 30 failures in a minute
   */
  take(peerAddress: string | undefined): () => void;
}

/** A minute's failures of one network: more than an office has, and far fewer than guessing over many accounts needs. */
const maximumFailures = 30;
const maximumNetworks = 10_000;

/**
 * Slows down who guesses a password for many accounts, each of which sees a few tries alone. In the memory of this process:
 * with several of them each counts by itself.
 *
 * Only the address at the other end of the connection counts, and only a public one. What headers such as `X-Forwarded-For`
 * say anybody can write; and an address that is not public is most likely a proxy, behind which one guesser would keep
 * everybody out. A proxy has to limit by address itself.
 */
export function createPeerThrottle({ now }: { readonly now: () => number }): PeerThrottle {
  /** When each network failed, oldest first. A network that fails again goes to the end, so the first is the stalest. */
  const failures = new Map<string, readonly number[]>();

  return {
    take(peerAddress) {
      if (peerAddress === undefined || !isPublicAddress(peerAddress)) return () => {};
      const network = toPeerNetwork(peerAddress);
      const at = now();
      const recent = (failures.get(network) ?? []).filter((time) => isWithinWindow(time, at));
      const [oldest = at] = recent;
      if (recent.length >= maximumFailures) throw tooManySignIns("from this network", oldest + windowMs - at);
      failures.delete(network);
      failures.set(network, [...recent, at]);
      const [stalest] = failures.keys();
      if (failures.size > maximumNetworks && stalest !== undefined) failures.delete(stalest);
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
