import ipaddr from "ipaddr.js";

/**
 * Whether an IP address (text, as a resolver or `URL` gives it) is public unicast, so that a delivery may be
 * sent to it. IPv6 forms that carry an IPv4 address are judged by the address they carry: a request for
 * `::ffff:127.0.0.1` or `64:ff9b::a00:1` reaches the inner one.
 *
 * Anything that is not clearly public is refused: a new special range in the registries must never
 * become reachable only because this list is older.
 *
 * @example isPublicAddress("93.184.215.14") // true
 * @example isPublicAddress("64:ff9b::7f00:1") // false: NAT64 of 127.0.0.1
 * @see IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890)
 */
export function isPublicAddress(address: string): boolean {
  // A zone index (`fe80::1%eth0`) only ever belongs to a link-local address.
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? isPublicIpv4(parsed) : isPublicIpv6(parsed);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !extraIpv4Ranges.some((range) => address.match(range));
}

// Not routed on the public Internet, and called "unicast" by the library.
const extraIpv4Ranges = [
  ipaddr.IPv4.parseCIDR("192.0.0.0/24"), // IETF protocol assignments, RFC 6890
  ipaddr.IPv4.parseCIDR("192.88.99.0/24"), // 6to4 relay anycast, RFC 7526
  ipaddr.IPv4.parseCIDR("198.18.0.0/15"), // benchmarking, RFC 2544
  ipaddr.IPv4.parseCIDR("240.0.0.0/4"), // reserved, RFC 1112
];

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const specialIpv6Ranges = [
  ipaddr.IPv6.parseCIDR("2001::/23"), // IETF protocol assignments (Teredo, ORCHID, benchmarking), RFC 2928
  ipaddr.IPv6.parseCIDR("2001:db8::/32"), // documentation, RFC 3849
  ipaddr.IPv6.parseCIDR("3fff::/20"), // documentation, RFC 9637
  ipaddr.IPv6.parseCIDR("2002::/16"), // 6to4, RFC 3056: deprecated, and a way to spell private IPv4
];
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96"); // RFC 6052

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.zoneId !== undefined && address.zoneId !== null) return false;
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  if (address.match(nat64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  if (!address.match(globalUnicast)) return false;
  if (specialIpv6Ranges.some((range) => address.match(range))) return false;
  return !isIsatap(address);
}

/** ISATAP (RFC 5214) spells an IPv4 address in the interface identifier `[02]00:5efe:a.b.c.d`. */
function isIsatap(address: ipaddr.IPv6): boolean {
  return ((address.parts[4] ?? 0) & 0xfdff) === 0 && address.parts[5] === 0x5efe;
}
