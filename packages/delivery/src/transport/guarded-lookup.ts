import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { describeBlockedLiteral, describeBlockedName, describeLookup } from "./describe-failure.ts";
import { findLackOfDescriptors } from "./lack-of-descriptors.ts";
import { isPublicAddress } from "./public-address.ts";

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The name, or the IP literal, leads to an address that deliveries must not reach. */
export class BlockedAddressError extends Error {
  readonly code = "blocked_address";
  constructor(hostname: string) {
    super(isIP(hostname) === 0 ? describeBlockedName(hostname) : describeBlockedLiteral(hostname));
    this.name = "BlockedAddressError";
  }
}

/** The name could not be turned into an address. */
export class ResolveError extends Error {
  readonly code = "dns";
  constructor(hostname: string, cause?: unknown) {
    super(describeLookup(hostname, cause), { cause });
    this.name = "ResolveError";
  }
}

/**
 * A `lookup` for `net.connect` which answers checked addresses only. The socket dials what this answer names
 * and nothing is resolved twice, so a name that changes its answer between check and connection (DNS
 * rebinding) gains nothing. Of an answer with public and private addresses the private ones are never dialled.
 */
export function createGuardedLookup(
  resolve: Resolve,
  { allow = isPublicAddress }: { readonly allow?: (address: string) => boolean } = {},
): LookupFunction {
  return async (hostname, options, callback) => {
    let addresses;
    try {
      addresses = await resolveAllowed(hostname);
    } catch (error) {
      return callback(error instanceof Error ? error : new ResolveError(hostname, error), "");
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0].address, addresses[0].family);
  };

  async function resolveAllowed(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const answer = await resolveAll(hostname);
    if (answer.length === 0) throw new ResolveError(hostname);
    const [first, ...others] = answer
      .filter(({ address }) => isIP(address) !== 0 && allow(address))
      .map(({ address }) => ({ address, family: isIP(address) }));
    if (first === undefined) throw new BlockedAddressError(hostname);
    return [first, ...others];
  }

  async function resolveAll(hostname: string): Promise<readonly LookupAddress[]> {
    try {
      return await resolve(hostname);
    } catch (cause) {
      // A resolver needs files as well: without any, the system's own says that it knows no such name.
      throw new ResolveError(hostname, findLackOfDescriptors() ?? cause);
    }
  }
}
