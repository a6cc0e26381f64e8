/** Not public unicast: IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast, what is reserved, and one of a cloud. */
const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32", // Azure's wire server
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map(toRange);

/** The same inside `2000::/3`, outside which nothing is public: the first groups, and how many bits of them count. */
const specialIpv6 = [
  { groups: [0x2001, 0], bits: 23 },
  { groups: [0x2001, 0xdb8], bits: 32 },
  { groups: [0x2002, 0], bits: 16 },
  { groups: [0x2620, 0x4f, 0x8000], bits: 48 },
  { groups: [0x3fff, 0], bits: 20 },
];

/** Whether the host of a URL, an IP address as the URL parser writes it, is public unicast. */
export function isPublicAddress(hostname: string): boolean {
  if (!hostname.startsWith("[")) return isPublicIpv4(toNumber(hostname));
  const groups = toGroups(hostname.slice(1, -1));
  const [first = 0, second = 0, , , fifth = 0, sixth = 0, seventh = 0, eighth = 0] = groups;
  const carried = seventh * 2 ** 16 + eighth;
  const zeros = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if (zeros(0, 5) && sixth === 0xffff) return isPublicIpv4(carried);
  if (first === 0x64 && second === 0xff9b && zeros(2, 6)) return isPublicIpv4(carried);
  const isIsatap = (fifth & 0xfdff) === 0 && sixth === 0x5efe;
  return first >>> 13 === 1 && !isIsatap && !specialIpv6.some((range) => isWithin(groups, range));
}

function isPublicIpv4(address: number): boolean {
  return !specialIpv4.some(({ from, size }) => address >= from && address < from + size);
}

function isWithin(groups: readonly number[], { groups: start, bits }: (typeof specialIpv6)[number]): boolean {
  return start.every((group, index) => {
    const ignored = Math.max(0, 16 * (index + 1) - bits);
    return ignored >= 16 || group >>> ignored === (groups[index] ?? 0) >>> ignored;
  });
}

/** Four bytes as a number; shifting would make those from 128.0.0.0 on negative. */
function toNumber(dotted: string): number {
  return dotted.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0);
}

function toRange(block: string): { readonly from: number; readonly size: number } {
  const [address = "", bits = "32"] = block.split("/");
  return { from: toNumber(address), size: 2 ** (32 - Number(bits)) };
}

/** The eight groups; `::` stands for as many zeros as are missing. */
function toGroups(text: string): readonly number[] {
  const [head = "", tail] = text.split("::");
  const before = parseGroups(head);
  if (tail === undefined) return before;
  const after = parseGroups(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function parseGroups(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
