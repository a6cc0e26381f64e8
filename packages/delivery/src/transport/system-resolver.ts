import { lookup as systemLookup, promises as dnsPromises } from "node:dns";
import type { LookupAddress } from "node:dns";
import type { Resolve } from "./guarded-lookup.ts";

/** libuv lets only half of its threads (two, by default) resolve names, and a thread cannot be called back. */
const maximumSystemLookups = 2;

/** What the name servers answer when they know no such name: it may still stand in `/etc/hosts`. */
const unknownName = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

export interface SystemResolverOptions {
  /** The system's resolver (`getaddrinfo`): it knows `/etc/hosts` and split-horizon names. */
  readonly askSystem?: Resolve;
  /** The name servers, asked directly and without a thread. */
  readonly askNameServers?: Resolve;
}

interface NameServers {
  resolve4(hostname: string): Promise<readonly string[]>;
  resolve6(hostname: string): Promise<readonly string[]>;
}

/**
 * The default resolver: the system's, as every other program on the host uses it. It blocks a thread for each
 * name, so two names whose servers never answer would stop all others: while it is that busy the name
 * servers are asked directly, and one name asked for many times at once is asked for once.
 */
export function createSystemResolver(options: SystemResolverOptions = {}): Resolve {
  const { askSystem = lookupBySystem, askNameServers = createNameServerLookup() } = options;
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>();
  let busy = 0;

  return (hostname) => {
    const shared = underWay.get(hostname);
    if (shared !== undefined) return shared;
    const answer = (busy < maximumSystemLookups ? bySystem(hostname) : byNameServers(hostname)).finally(() =>
      underWay.delete(hostname),
    );
    underWay.set(hostname, answer);
    return answer;
  };

  async function bySystem(hostname: string): Promise<readonly LookupAddress[]> {
    busy += 1;
    try {
      return await askSystem(hostname);
    } finally {
      busy -= 1;
    }
  }

  async function byNameServers(hostname: string): Promise<readonly LookupAddress[]> {
    try {
      return await askNameServers(hostname);
    } catch (error) {
      if (error instanceof Error && "code" in error && unknownName.has(String(error.code)))
        return bySystem(hostname);
      throw error;
    }
  }
}

const lookupBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, order: "verbatim" }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/** Asks for addresses of both families; one of them is enough. */
export function createNameServerLookup(
  nameServers: NameServers = new dnsPromises.Resolver({ timeout: 2_000, tries: 2 }),
): Resolve {
  return async (hostname) => {
    const [version4, version6] = await Promise.allSettled([
      nameServers.resolve4(hostname),
      nameServers.resolve6(hostname),
    ]);
    if (version4.status === "rejected" && version6.status === "rejected") throw version4.reason;
    // Version 4 first: unlike the system, we do not know whether this host has a route for version 6.
    return [
      ...(version4.status === "fulfilled" ? version4.value : []).map((address) => ({ address, family: 4 })),
      ...(version6.status === "fulfilled" ? version6.value : []).map((address) => ({ address, family: 6 })),
    ];
  };
}
