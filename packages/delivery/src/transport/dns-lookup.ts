import { promises as dns } from "node:dns";
import type { LookupAddress } from "node:dns";
import { closeSync, openSync } from "node:fs";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { devNull } from "node:os";
import { isPublicAddress } from "@hookwright/domain";

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** A name has no address, or none that deliveries may be sent to. */
export class LookupError extends Error {
  readonly failure: "dns" | "blocked_address";
  constructor(failure: LookupError["failure"], hostname: string, cause?: unknown) {
    super(`${hostname} has no address that a delivery can be sent to`, { cause });
    this.name = "LookupError";
    this.failure = failure;
  }
}

/** The source address has the other version. */
class OtherFamilyError extends Error {
  readonly code = "EAFNOSUPPORT";
}

/**
 * A `lookup` for `net.connect` that returns only checked addresses. The socket dials what it returns, and nothing is resolved
 * twice. So a name whose address changes between check and connection (DNS rebinding) gains nothing.
 */
export function createCheckedLookup(
  resolve: Resolve,
  isAllowed: (address: string, hostname: string) => boolean = isPublicAddress,
): LookupFunction {
  async function resolveAllowed(
    hostname: string,
    wantedFamily: number,
  ): Promise<[LookupAddress, ...LookupAddress[]]> {
    const all = await resolve(hostname).catch((cause: unknown) => {
      // Without a free file descriptor the system's resolver says that the name does not exist.
      throw new LookupError("dns", hostname, findDescriptorShortage() ?? cause);
    });
    if (all.length === 0) throw new LookupError("dns", hostname);
    const allowed = all
      .map(({ address }) => ({ address, family: isIP(address) }))
      .filter(({ address, family }) => family !== 0 && isAllowed(address, hostname));
    if (allowed.length === 0) throw new LookupError("blocked_address", hostname);
    const [first, ...others] = allowed.filter(({ family }) => wantedFamily === 0 || family === wantedFamily);
    if (first === undefined) throw new LookupError("dns", hostname, new OtherFamilyError());
    return [first, ...others];
  }

  return async (hostname, { all, family }, callback) => {
    let addresses;
    try {
      addresses = await resolveAllowed(hostname, family === 4 || family === 6 ? family : 0);
    } catch (error) {
      return callback(error instanceof Error ? error : new LookupError("dns", hostname, error), "");
    }
    if (all === true) callback(null, addresses);
    else callback(null, addresses[0].address, addresses[0].family);
  };
}

/** The system's resolver takes one thread for each name, and libuv lets it use two. A thread cannot be interrupted. */
const maximumSystemLookups = 2;

/** The name servers do not know the name. It may still be in `/etc/hosts`. */
const unknownName: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/**
 * The default resolver: the system's, as every other program on the host uses it. Two names whose servers never answer
 * would block all others. So while it is that busy, the name servers are asked directly. Equal questions share one answer.
 */
export function createSystemResolver({
  askSystem = askSystemResolver,
  askNameServers = createNameServerLookup(),
}: { readonly askSystem?: Resolve; readonly askNameServers?: Resolve } = {}): Resolve {
  const pending = new Map<string, Promise<readonly LookupAddress[]>>();
  let busy = 0;

  const bySystem: Resolve = (hostname) => {
    busy += 1;
    return askSystem(hostname).finally(() => {
      busy -= 1;
    });
  };

  const byNameServers: Resolve = (hostname) =>
    askNameServers(hostname).catch((error: unknown) => {
      if (unknownName.has(codeOf(error))) return bySystem(hostname);
      throw error;
    });

  return (hostname) => {
    const shared = pending.get(hostname);
    if (shared !== undefined) return shared;
    const resolve = busy < maximumSystemLookups ? bySystem : byNameServers;
    const addresses = resolve(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, addresses);
    return addresses;
  };
}

function askSystemResolver(hostname: string): Promise<LookupAddress[]> {
  return dns.lookup(hostname, { all: true, order: "verbatim" });
}

/** Asks for addresses of both families. One of them is enough. */
export function createNameServerLookup(
  nameServers: {
    resolve4(hostname: string): Promise<readonly string[]>;
    resolve6(hostname: string): Promise<readonly string[]>;
  } = new dns.Resolver({ timeout: 2_000, tries: 2 }),
): Resolve {
  return async (hostname) => {
    const [version4, version6] = await Promise.allSettled([
      nameServers.resolve4(hostname),
      nameServers.resolve6(hostname),
    ]);
    if (version4.status === "rejected" && version6.status === "rejected") throw version4.reason;
    // Version 4 first: we do not know whether this host has a route for version 6.
    const answers = [version4, version6].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    return answers.map((address) => ({ address, family: isIP(address) }));
  };
}

/** Whether no connection was opened because this process or machine has too many open files. The receiver cannot cause that. */
export function isDescriptorShortage(error: unknown): error is Error {
  // When a name has several addresses, each was dialled.
  if (error instanceof AggregateError && error.errors.some(isDescriptorShortage)) return true;
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === "EMFILE" || code === "ENFILE" || isDescriptorShortage(error.cause);
}

function findDescriptorShortage(): Error | undefined {
  try {
    closeSync(openSync(devNull, "r"));
    return undefined;
  } catch (error) {
    return isDescriptorShortage(error) ? error : undefined;
  }
}

/** The code of an error of Node: `ENOTFOUND`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
