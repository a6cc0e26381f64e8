import { describe, expect, it } from "vitest";
import { parseAllowedTargets } from "../src/allowed-targets.ts";
import { parseTargetUrl, permitsAddress } from "../src/target-url.ts";
import type { TargetPolicy } from "../src/target-url.ts";

function allow(...entries: readonly string[]): TargetPolicy {
  const verdict = parseAllowedTargets(entries);
  if (!verdict.ok) throw new Error(verdict.reason);
  return { allowedTargets: verdict.targets };
}

const permits = (policy: TargetPolicy, address: string, hostname = "shop.example.com"): boolean =>
  permitsAddress(address, hostname, policy);
const accepts = (policy: TargetPolicy, url: string): boolean => parseTargetUrl(url, policy).ok;

describe("a listed network", () => {
  it("permits its addresses in every spelling, in a URL and behind a public name, and no other", () => {
    const policy = allow("10.1.2.0/24", "fd00:1::/64");
    const inside = ["10.1.2.0", "10.1.2.255", "::ffff:10.1.2.3", "64:ff9b::a01:203", "fd00:1::7"];
    const outside = [
      "10.1.3.0",
      "10.1.1.255",
      "127.0.0.1",
      "::ffff:10.1.3.0",
      "64:ff9b::a01:300",
      "fd00:1:0:1::7",
    ];
    for (const address of [...inside, ...outside]) {
      expect([address, permits(policy, address)]).toEqual([address, inside.includes(address)]);
      const host = address.includes(":") ? `[${address}]` : address;
      expect([host, accepts(policy, `https://${host}/`)]).toEqual([host, inside.includes(address)]);
    }
    expect(permits(policy, "93.184.215.14")).toBe(true);
  });

  it("permits no name of a private network: such a name must be listed itself", () => {
    for (const host of ["hooks.internal", "hooks", "localhost"])
      expect(accepts(allow("10.0.0.0/8", "127.0.0.0/8"), `https://${host}/`)).toBe(false);
  });

  it("may be written as an address that carries IPv4", () => {
    expect(permits(allow("::ffff:10.1.2.0/120"), "10.1.2.9")).toBe(true);
    expect(permits(allow("64:ff9b::10.1.2.3"), "10.1.2.3")).toBe(true);
  });
});

describe("a listed name", () => {
  const policy = allow("Hooks.Internal", "bücher.lan.", "queue", "localhost");

  it("is accepted in every spelling of the same host, and no other name is", () => {
    for (const host of [
      "hooks.internal",
      "HOOKS.internal.",
      "xn--bcher-kva.lan",
      "bücher.LAN",
      "queue",
      "localhost",
    ])
      expect([host, accepts(policy, `https://${host}/`)]).toEqual([host, true]);
    for (const host of [
      "a.hooks.internal",
      "internal",
      "hooks.internal.example.internal",
      "a.localhost",
      "queue.lan",
    ])
      expect([host, accepts(policy, `https://${host}/`)]).toEqual([host, false]);
  });

  it("permits every private address that it resolves to, and only for itself", () => {
    for (const address of [
      "10.9.9.9",
      "172.16.0.1",
      "192.168.1.1",
      "100.64.0.1",
      "127.0.0.1",
      "::1",
      "fd00::1",
    ]) {
      expect([address, permits(policy, address, "hooks.internal.")]).toEqual([address, true]);
      expect([address, permits(policy, address)]).toEqual([address, false]);
      expect([
        address,
        accepts(policy, `https://${address.includes(":") ? `[${address}]` : address}/`),
      ]).toEqual([address, false]);
    }
  });

  it.each([
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "fe80::1",
    "2002:a9fe:a9fe::",
    "::",
    "0x7f.1",
    "localhost",
  ])("does not permit %s", (address) => {
    expect(permits(policy, address, "hooks.internal")).toBe(false);
  });
});

describe("an address of a metadata service", () => {
  const addresses = [
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "fd00:100::100:200",
    "fd00:a9fe:a9fe::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fd00:c1::a9fe:a9fe",
    "fd00:42::42",
  ];

  it.each(addresses)("%s is permitted only if it is listed itself", (address) => {
    const wide = allow("100.64.0.0/10", "fc00::/7", "169.254.169.253", "metadata.internal");
    expect(permits(wide, address, "metadata.internal")).toBe(false);
    expect(permits(allow(address), address)).toBe(true);
    expect(accepts(allow(address), `https://${address.includes(":") ? `[${address}]` : address}/`)).toBe(
      true,
    );
  });

  it("is recognised when NAT64 or an IPv4-mapped address carries it", () => {
    for (const address of ["64:ff9b::a9fe:a9fe", "::ffff:169.254.169.254"]) {
      expect(permits(allow("metadata.internal"), address, "metadata.internal")).toBe(false);
      expect(permits(allow("169.254.169.254"), address)).toBe(true);
    }
  });
});

it("a listed target still needs https: and a port that is allowed", () => {
  const policy = allow("10.1.2.3", "hooks.internal");
  expect(accepts(policy, "https://hooks.internal:8443/")).toBe(true);
  for (const url of [
    "http://hooks.internal/",
    "http://10.1.2.3/",
    "https://hooks.internal:22/",
    "https://10.1.2.3:25/",
  ])
    expect([url, accepts(policy, url)]).toEqual([url, false]);
});

const noName =
  "is not a host name, an IP address, or a network such as 10.1.2.0/24, without scheme, port and path";
const notPrivate =
  /is not part of a private network \(10\.0\.0\.0\/8, .*\)\. Public addresses need no entry$/u;

it.each<[entry: string, problem: string | RegExp]>([
  ["", noName],
  ["https://hooks.internal", noName],
  ["hooks.internal:8443", noName],
  ["hooks internal", noName],
  ["hooks..internal", noName],
  ["-.internal", noName],
  [`${"a".repeat(64)}.internal`, noName],
  ["10.1.2.3/33", noName],
  ["10.1.2.3/", noName],
  ["10.1.2.3/08", noName],
  ["10.1.2.3/8/8", noName],
  ["10.1.2", noName],
  ["0x0a.1.2.3", noName],
  ["fd00::1%eth0", noName],
  ["*.internal", "is a pattern. List each host, or a network such as 10.1.2.0/24"],
  ["0.0.0.0/0", notPrivate],
  ["::/0", notPrivate],
  ["::ffff:0:0/96", notPrivate],
  ["64:ff9b::/32", notPrivate],
  ["10.0.0.0/7", notPrivate],
  ["93.184.215.14", notPrivate],
  ["0.0.0.0", notPrivate],
  ["fe80::1", notPrivate],
  ["169.254.0.0/16", "is link-local or for metadata: list its addresses one by one"],
  ["169.254.169.254/31", "is link-local or for metadata: list its addresses one by one"],
  ["10.1.2.3/8", "does not begin at 10.0.0.0/8. Write that, or a single address"],
  ["fd00:1::7/64", "does not begin at fd00:1::/64. Write that, or a single address"],
])("the entry %j is refused and named", (entry, problem) => {
  const verdict = parseAllowedTargets(["10.1.2.3", entry]);
  expect(verdict).toEqual({ ok: false, reason: expect.stringMatching(problem) });
  expect(verdict).toMatchObject({ reason: expect.stringContaining(`${JSON.stringify(entry)} `) });
});

it("a list has at most 100 entries", () => {
  const entries = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`);
  expect(parseAllowedTargets(entries.slice(1)).ok).toBe(true);
  expect(parseAllowedTargets(entries)).toEqual({ ok: false, reason: "it has more than 100 entries" });
});
