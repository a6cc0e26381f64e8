import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether an IP address (text, as a resolver or `URL` gives it) is public unicast, so that a delivery may be
 * sent to it. IPv6 forms that carry an IPv4 address are judged by the address they carry where they reach it
 * (`::ffff:127.0.0.1`, `64:ff9b::a00:1`), and refused where the way is deprecated or local (6to4, Teredo,
 * ISATAP, IPv4-compatible, `64:ff9b:1::/48`).
 *
 * Anything that is not clearly public is refused: of IPv6 only `2000::/3` is given out for that use, so a new
 * special range outside it never becomes reachable because a list is older.
 *
 * @example isPublicAddress("93.184.215.14") // true
 * @example isPublicAddress("64:ff9b::7f00:1") // false: NAT64 of 127.0.0.1
 * @see IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890)
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js reads `010.1` and `0x7f.1` as well; what a socket would dial for those is another matter.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? isPublicIpv4(parsed) : isPublicIpv6(parsed);
}

/** Azure's wire server: a public address that leads to the host of a virtual machine, and to its secrets. */
const azureWireServer = "168.63.129.16";

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && address.toString() !== azureWireServer;
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3"); // RFC 4291 §2.4, as far as IANA has given it out
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96"); // RFC 6052

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  // A zone index (`fe80::1%eth0`) chooses an interface of this machine.
  if (address.zoneId !== undefined && address.zoneId !== null) return false;
  if (address.isIPv4MappedAddress() || address.match(nat64)) {
    return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  return address.match(globalUnicast) && address.range() === "unicast" && !isIsatap(address);
}

/** ISATAP (RFC 5214) spells an IPv4 address in the interface identifier `[02]00:5efe:a.b.c.d`, under any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  return ((address.parts[4] ?? 0) & 0xfdff) === 0 && address.parts[5] === 0x5efe;
}
