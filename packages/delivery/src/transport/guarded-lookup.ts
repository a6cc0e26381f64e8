import { lookup as systemLookup } from "node:dns";
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The name, or the IP literal, leads to an address that deliveries must not reach. */
export class BlockedAddressError extends Error {
  readonly code = "blocked_address";
  constructor(hostname: string) {
    super(`${hostname} does not lead to a public address`);
    this.name = "BlockedAddressError";
  }
}

/** The system's resolver: it knows `/etc/hosts` and split-horizon names, as every other program on the host does. */
export const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, verbatim: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/**
 * A `lookup` for `net.connect` which answers checked addresses only. The socket dials what this answer names
 * and nothing is resolved twice, so a name that changes its answer between check and connection (DNS
 * rebinding) gains nothing.
 */
export function createGuardedLookup(
  resolve: Resolve,
  { allow = isPublicAddress }: { readonly allow?: (address: string) => boolean } = {},
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const allowed = addresses.filter(({ address }) => allow(address));
        const [first] = allowed;
        if (first === undefined) callback(new BlockedAddressError(hostname), "");
        else if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error("name resolution failed"), ""),
    );
  };
}
