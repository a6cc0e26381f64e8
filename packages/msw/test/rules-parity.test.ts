import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAsking } from "./support/asking.ts";
import { openMockSide } from "./support/open-mock-side.ts";
import { openRealSide } from "./support/open-real-side.ts";
import type { Side } from "./support/side.ts";

const now = () => Date.UTC(2026, 10, 20, 9, 30);
let sides: readonly Side[] = [];

beforeAll(async () => {
  sides = [await openRealSide(now), openMockSide(now)];
  for (const side of sides) await side.addProject("site_1", "Main street shop", "Europe/London");
});
afterAll(async () => {
  for (const side of sides) await side[Symbol.asyncDispose]();
});

/** The comparable part of the answers to the same request. */
async function askBoth(target: string, json: object): Promise<{ real: unknown; mocked: unknown }> {
  const [real, mocked] = await Promise.all(
    sides.map(async (side) => {
      const { ask, log } = createAsking(side);
      await ask(target, { json });
      return log;
    }),
  );
  return { real, mocked };
}

describe("both report the same problems of a body, including the site", () => {
  it.each(["POST /v1/contacts", "POST /v1/subscribers", "POST /v1/blog-posts"])("%s", async (target) => {
    for (const site of ["site_x", "site_1", undefined, 5, " ", "\ud800"]) {
      const { real, mocked } = await askBoth(target, { project_id: site, email: "x" });
      expect(mocked).toEqual(real);
    }
    expect.hasAssertions();
  });
});

describe("both validate a target URL alike", () => {
  /** The URL is checked before the site, so nothing is created: a valid URL gives `invalid_project`. */
  const judge = (url: string) =>
    askBoth("POST /v1/webhooks", { event: "order.paid", target_url: url, project_id: "none" });

  it.each([
    "https://hooks.example.com",
    "https://example.com.",
    "https:/example.com",
    "https:example.com",
    "https://",
    "https:///example.com",
    "https://\\example.com",
    "ftp://example.com",
    "http://example.com",
    " https://example.com",
    "https://exa mple.com",
    "https://example.com/\u0000",
    "https://user@example.com",
    "https://user:pass@example.com",
    "https://@example.com",
    "https://example.com/@user",
    `https://example.com/${"x".repeat(2_100)}`,
    "https://localhost",
    "https://localhost.",
    "https://a.localhost",
    "https://shop",
    "https://shop.local",
    "https://shop.LAN",
    "https://shop.corp.",
    "https://db.svc",
    "https://nas.home.arpa",
    "https://home.arpa",
    "https://nas.home",
    "https://shop.intranet",
    "https://shop.private",
    "https://shop.test",
    "https://lan",
    "https://lan.example.com",
    `https://${"a".repeat(63)}.example.com`,
    `https://${"a".repeat(64)}.example.com`,
    `https://${"a.".repeat(125)}com`,
    `https://${"a.".repeat(126)}com`,
    "https://example.com:0",
    "https://example.com:25",
    "https://example.com:80",
    "https://example.com:443",
    "https://example.com:1023",
    "https://example.com:1024",
    "https://example.com:8443",
    "https://example.com:65535",
    "https://example.com:65536",
    "https://168.63.129.15",
    "https://168.63.129.16",
    "https://168.4161808",
    "https://[::ffff:168.63.129.16]",
    "https://[64:ff9b::168.63.129.16]",
    "https://shop.internal.",
    "https://shop..example",
    "https://127.0.0.1..",
    "https://127.1",
    "https://0x7f.1",
    "https://2130706433",
    "https://017700000001",
    "https://[::1]",
    "https://[::]",
    "https://[::ffff:127.0.0.1]",
    "https://[::ffff:93.184.215.14]",
    "https://[64:ff9b::a00:1]",
    "https://[64:ff9b::5db8:d70e]",
    "https://[64:ff9b:1::5db8:d70e]",
    "https://[2002:5db8:d70e::1]",
    "https://[2001:0:5db8::1]",
    "https://[2001:1ff::1]",
    "https://[2001:200::1]",
    "https://[2001:db8::1]",
    "https://[2001:db9::1]",
    "https://[2620:4f:8000::1]",
    "https://[2620:4f:8001::1]",
    "https://[3fff:fff::1]",
    "https://[3fff:1000::1]",
    "https://[2606:2800::5efe:10.0.0.1]",
    "https://[2606:2800::200:5efe:10.0.0.1]",
    "https://[2606:2800:220:1::1]",
    "https://[fe80::1]",
    "https://[fc00::1]",
    "https://[ff02::1]",
    "https://[1::]",
  ])("%j", async (url) => {
    const { real, mocked } = await judge(url);
    expect(mocked).toEqual(real);
  });

  it("any IPv4 address", async () => {
    const edges =
      "0.0.0 1.0.0 9.255.255 10.0.0 11.0.0 100.63.255 100.64.0 100.127.255 100.128.0 126.255.255 127.255.255 128.0.0 " +
      "169.253.255 169.254.0 169.255.0 172.15.255 172.16.0 172.31.255 172.32.0 192.0.0 192.0.1 192.0.2 192.31.196 " +
      "192.31.197 192.52.193 192.88.99 192.167.255 192.168.0 192.169.0 192.175.48 198.17.255 198.18.0 198.19.255 " +
      "198.20.0 198.51.100 203.0.113 203.0.114 223.255.255 224.0.0 239.255.255 240.0.0 255.255.255";
    const byte = fc.nat(255);
    const start = fc.oneof(
      fc.constantFrom(...edges.split(" ")),
      fc.tuple(byte, byte, byte).map((bytes) => bytes.join(".")),
    );
    await fc.assert(
      fc.asyncProperty(start, fc.oneof(byte, fc.constantFrom(0, 255)), async (bytes, last) => {
        const { real, mocked } = await judge(`https://${bytes}.${last}/`);
        expect(mocked).toEqual(real);
      }),
      { numRuns: 500 },
    );
  });

  it("any IPv6 address", async () => {
    const first = fc.constantFrom(0x2001, 0x2002, 0x2620, 0x3fff, 0x64, 0, 0x2606, 0xfe80);
    const group = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x4f, 0xdb8, 0xff9b, 0x5efe, 0xffff, 0x8000));
    const address = fc.tuple(first, fc.array(group, { minLength: 7, maxLength: 7 }));
    await fc.assert(
      fc.asyncProperty(address, async ([head, rest]) => {
        const groups = [head, ...rest].map((part) => part.toString(16));
        const { real, mocked } = await judge(`https://[${groups.join(":")}]/`);
        expect(mocked).toEqual(real);
      }),
      { numRuns: 400 },
    );
  });
});

it("a title in Latin letters has the service's slug", async () => {
  const latin = fc.constantFrom(..."abzABZ019 -_'’&.,!?/\\äÄöÜßéÉñçøØłŁœÆþđıİšžőűẞỗ–—sStTəƏ€¥¢₹₺₽₩₴₿♥");
  const text = fc.string({ unit: latin, minLength: 1, maxLength: 24 }).filter((each) => each.trim() !== "");
  await fc.assert(
    fc.asyncProperty(text, async (title) => {
      const { real, mocked } = await askBoth("POST /v1/blog-posts", { project_id: "site_1", title });
      expect(mocked).toEqual(real);
    }),
    {
      numRuns: 300,
      examples: [
        ["Conway's Law & APIs"],
        ["fooBarBAZ360"],
        ["ß".repeat(24)],
        ["10 € Gutschein"],
        ["I ♥ Dogs"],
        ["🦄s"],
      ],
    },
  );
});
