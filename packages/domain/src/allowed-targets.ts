import ipaddr from "ipaddr.js";
import { toReachedAddress } from "./public-address.ts";

/** Private targets that deliveries may go to. All others stay refused. */
export interface AllowedTargets {
  hasName(hostname: string): boolean;
  /** Whether a delivery to a host may be sent to an address that is not public. */
  permits(address: string, hostname: string): boolean;
}

export type AllowedTargetsVerdict =
  | { readonly ok: true; readonly targets: AllowedTargets }
  | { readonly ok: false; readonly reason: string };

interface Network {
  /** IPv4 as IPv4-mapped IPv6. */
  readonly address: ipaddr.IPv6;
  /** Of 128. */
  readonly bits: number;
}

const maximumEntries = 100;

/** RFC 1918, RFC 6598 (also used inside clusters), loopback and RFC 4193. */
const privateNetworks = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "::1/128",
  "fc00::/7",
];

/** Services of clouds that give credentials to every caller. Neither a name nor a network permits them. */
const metadataNetworks = [
  "169.254.0.0/16", // all link-local ones: AWS, Azure, Google, and many others
  "168.63.129.16/32", // Azure
  "100.100.100.200/32", // Alibaba
  "fd00:100::100:200/128", // Alibaba
  "fd00:a9fe:a9fe::1/128", // Akamai
  "fd00:ec2::/32", // AWS
  "fd20:ce::254/128", // Google
  "fd00:c1::a9fe:a9fe/128", // Oracle
  "fd00:42::42/128", // Scaleway
];

const privateRanges = privateNetworks.flatMap((text) => parseNetwork(text) ?? []);
const metadataRanges = metadataNetworks.flatMap((text) => parseNetwork(text) ?? []);

/**
 * Parses a list of private targets: host names, addresses, and networks with their prefix length.
 *
 * A name permits the private addresses that it resolves to. A network permits its addresses, in a URL or behind any public name.
 * Addresses of metadata services must be listed one by one.
 *
 * @example parseAllowedTargets(["hooks.internal", "10.1.2.3", "fd00:1::/64"]) // { ok: true, targets }
 * @example parseAllowedTargets(["0.0.0.0/0"]) // { ok: false, reason: '"0.0.0.0/0" is not part of a private network …' }
 */
export function parseAllowedTargets(entries: readonly string[]): AllowedTargetsVerdict {
  const names = new Set<string>();
  const networks: Network[] = [];
  if (entries.length > maximumEntries)
    return { ok: false, reason: `it has more than ${maximumEntries} entries` };
  for (const entry of entries) {
    const network = parseNetwork(entry);
    const name = network === undefined ? parseName(entry) : undefined;
    const problem = network === undefined ? findNameProblem(entry, name) : findNetworkProblem(network);
    if (problem !== undefined) return { ok: false, reason: `${JSON.stringify(entry)} ${problem}` };
    if (network !== undefined) networks.push(network);
    if (name !== undefined) names.add(name);
  }
  const hasName = (hostname: string): boolean => names.has(hostname.replace(/\.$/u, ""));
  const single = networks.filter(isSingle);
  return {
    ok: true,
    targets: {
      hasName,
      permits(text, hostname) {
        const address = toReachedAddress(text);
        if (address === undefined) return false;
        if (isIn(address, metadataRanges)) return isIn(address, single);
        return isIn(address, networks) || (hasName(hostname) && isIn(address, privateRanges));
      },
    },
  };
}

function isIn(address: ipaddr.IPv6, networks: readonly Network[]): boolean {
  return networks.some((network) => address.match(network.address, network.bits));
}

function isSingle({ bits }: Network): boolean {
  return bits === 128;
}

/** An address without a prefix length is a network of one. */
function parseNetwork(text: string): Network | undefined {
  const [start = "", prefix, ...others] = text.split("/");
  const address = toReachedAddress(start);
  if (address === undefined || others.length > 0) return undefined;
  if (prefix === undefined) return { address, bits: 128 };
  const bits = (start.includes(":") ? 0 : 96) + (/^(?:0|[1-9]\d{0,2})$/u.test(prefix) ? Number(prefix) : NaN);
  return bits <= 128 ? { address, bits } : undefined;
}

function findNetworkProblem(network: Network): string | undefined {
  const { address, bits } = network;
  const isPart = (whole: Network): boolean => bits >= whole.bits && isIn(address, [whole]);
  if (metadataRanges.some(isPart))
    return isSingle(network) ? undefined : "is link-local or for metadata: list its addresses one by one";
  if (!privateRanges.some(isPart))
    return `is not part of a private network (${privateNetworks.join(", ")}). Public addresses need no entry`;
  const first = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`);
  if (first.toString() === address.toString()) return undefined;
  return `does not begin at ${describe({ address: first, bits })}. Write that, or a single address`;
}

function describe({ address, bits }: Network): string {
  return address.isIPv4MappedAddress()
    ? `${address.toIPv4Address().toString()}/${bits - 96}`
    : `${address.toString()}/${bits}`;
}

const labels =
  /^(?=.{1,253}$)[\d_a-z](?:[\d_a-z-]{0,61}[\d_a-z])?(?:\.[\d_a-z](?:[\d_a-z-]{0,61}[\d_a-z])?)*$/u;

/** @returns as the URL parser writes it: lower case and Punycode */
function parseName(text: string): string | undefined {
  if (/[^\p{L}\p{M}\p{N}._-]/u.test(text)) return undefined;
  const name = URL.parse(`https://${text}/`)?.hostname.replace(/\.$/u, "");
  return name !== undefined && labels.test(name) && toReachedAddress(name) === undefined ? name : undefined;
}

function findNameProblem(entry: string, name: string | undefined): string | undefined {
  if (name !== undefined) return undefined;
  if (entry.includes("*")) return "is a pattern. List each host, or a network such as 10.1.2.0/24";
  return "is not a host name, an IP address, or a network such as 10.1.2.0/24, without scheme, port and path";
}
