/**
 * Who an address belongs to: an IPv4 address is one subscriber's, of IPv6 addresses a whole `/64` is (RFC 6177), who could take
 * a new one for every try.
 *
 * @param address a valid IP address, as a socket gives it
 * @example toPeerNetwork("2001:db8::1") // "2001:db8:0:0"
 * @example toPeerNetwork("::ffff:192.0.2.1") // "192.0.2.1"
 */
export function toPeerNetwork(address: string): string {
  if (!address.includes(":")) return address;
  // A socket that listens on IPv6 shows IPv4 addresses so.
  if (address.includes(".")) return address.slice(address.lastIndexOf(":") + 1);
  const [head = "", tail] = address.toLowerCase().split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const between = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return [...first, ...(tail === undefined ? [] : between), ...last].slice(0, 4).join(":");
}
