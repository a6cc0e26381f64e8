import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../src/public-address.ts";

describe("an address that is public unicast", () => {
  it.each([
    "93.184.215.14",
    "1.1.1.1",
    "2606:2800:21f::1",
    "2A00:1450:4001:81b::200e",
    "::ffff:93.184.215.14",
    "::ffff:5db8:d70e",
    "64:ff9b::93.184.215.14",
  ])("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("an address that is private, special or carries one", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "fe80::1",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "4000::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2606:2800:220:1:0:5efe:7f00:1",
    "2606:2800:220:1:200:5efe:7f00:1",
  ])("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a text that is not an address in its usual spelling", () => {
  it.each([
    "",
    "localhost",
    "93.184.215.14.example",
    "93.184.215",
    "093.184.215.14",
    "0x5d.184.215.14",
    "93.184.215.256",
    "1572395790",
    " 93.184.215.14",
    "[2606:2800:21f::1]",
    "2606:2800:21f::1%eth0",
    "2606:2800:21f::1::2",
    "::ffff:093.184.215.14",
  ])("%j is not public", (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

it("168.63.129.16, which reaches the host of a virtual machine on Azure, is the only address that is refused around it", () => {
  const wireServer = 0xa83f8110;
  fc.assert(
    fc.property(fc.integer({ min: wireServer - 300, max: wireServer + 300 }), (each) => {
      const address = [24, 16, 8, 0].map((bits) => (each >>> bits) & 255).join(".");
      expect(isPublicAddress(address)).toBe(each !== wireServer);
      expect(isPublicAddress(`::ffff:${address}`)).toBe(each !== wireServer);
    }),
  );
});
