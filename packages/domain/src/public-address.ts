import ipaddr from "ipaddr.js";

/** Azure's wire server: a public address that reaches the host of a virtual machine, and its secrets. */
const azureWireServer = "168.63.129.16";

/**
 * Whether an IP address, as a resolver or the URL parser writes it, is public unicast. Deliveries are sent to no other address.
 *
 * An IPv6 address that carries an IPv4 address counts as that one where it reaches it (`::ffff:127.0.0.1`, `64:ff9b::a00:1`).
 * Deprecated and local forms are refused: 6to4, Teredo, ISATAP, IPv4-compatible, `64:ff9b:1::/48`.
 *
 * @example isPublicAddress("93.184.215.14") // true
 * @example isPublicAddress("64:ff9b::7f00:1") // false: NAT64 of 127.0.0.1
 * @see IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890)
 */
export function isPublicAddress(address: string): boolean {
  if (isIpv4(address)) return isPublicIpv4(ipaddr.IPv4.parse(address));
  return isIpv6(address) && isPublicIpv6(ipaddr.IPv6.parse(address));
}

/** Whether a text is an IP address in its usual spelling: no octal, hexadecimal or short IPv4, and no zone of IPv6. */
export function isIpAddress(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}

/**
 * The address that is reached, in one spelling: IPv4 as IPv4-mapped IPv6, also if NAT64 carries it. Undefined if the text is no
 * IP address in its usual spelling.
 */
export function toReachedAddress(text: string): ipaddr.IPv6 | undefined {
  if (isIpv4(text)) return ipaddr.IPv4.parse(text).toIPv4MappedAddress();
  if (!isIpv6(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  if (!address.match(nat64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12)).toIPv4MappedAddress();
}

function isIpv4(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text);
}

function isIpv6(text: string): boolean {
  // A zone (`fe80::1%eth0`) would choose an interface of this machine. ipaddr.js also accepts octal in an embedded IPv4 address.
  const embedded = text.slice(text.lastIndexOf(":") + 1);
  return !text.includes("%") && ipaddr.IPv6.isValid(text) && (!embedded.includes(".") || isIpv4(embedded));
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && address.toString() !== azureWireServer;
}

/** The only range that IANA assigns for public use (RFC 4291 §2.4). A new special range outside it is refused without an update. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96"); // RFC 6052

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress() || address.match(nat64))
    return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(globalUnicast) && address.range() === "unicast" && !isIsatap(address);
}

/** ISATAP (RFC 5214) has an IPv4 address in its interface identifier `[02]00:5efe:a.b.c.d`, under any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  return ((address.parts[4] ?? 0) & 0xfdff) === 0 && address.parts[5] === 0x5efe;
}
