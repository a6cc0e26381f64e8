import { isIP } from "node:net";

/** Clients with an unknown address share one network. */
const unknown = "unknown";

/**
 * The network of a client, for rate limits. It is the address in IPv4 and the `/64` in IPv6. One subscriber usually has a whole `/64`
 * (RFC 6177) and could use a new address for every request.
 *
 * @param address in any notation. Any other text belongs to the network `unknown`
 * @example toClientNetwork("2001:db8::1") // "2001:db8:0:0"
 * @example toClientNetwork("::ffff:192.0.2.1") // "192.0.2.1"
 */
export function toClientNetwork(address: string | undefined): string {
  if (address === undefined) return unknown;
  const version = isIP(address);
  if (version === 0) return unknown;
  if (version === 4) return address;
  const groups = toGroups(address);
  // An IPv6 socket reports IPv4 clients as mapped addresses.
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return groups.slice(6).flatMap(toBytes).join(".");
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}

/** {@link toClientNetwork}, or null for an unknown address. */
export function toKnownNetwork(address: string | undefined): string | null {
  const network = toClientNetwork(address);
  return network === unknown ? null : network;
}

/** The eight groups of an IPv6 address. */
function toGroups(address: string): readonly number[] {
  const [withoutZone = ""] = address.split("%");
  const [head = "", tail] = withoutZone.split("::");
  const first = parseGroups(head);
  if (tail === undefined) return first;
  const last = parseGroups(tail);
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last];
}

function parseGroups(text: string): readonly number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function toBytes(group: number): readonly number[] {
  return [Math.floor(group / 256), group % 256];
}
