import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTargetUrl, toUrlSecrets, withoutUrlSecrets } from "../src/target-url.ts";
import type { TargetPolicy } from "../src/target-url.ts";

/** Why `https://HOST/` is refused. */
function problemOf(host: string, policy: TargetPolicy = {}): string | undefined {
  const verdict = parseTargetUrl(`https://${host}/`, policy);
  return verdict.ok ? undefined : verdict.reason;
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const label = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 63 });
const inAnyCase = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) =>
      [...text].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join(""),
    );
const suffixes = ["local", "internal", "lan", "corp", "svc", "home.arpa", "home", "intranet", "private"];
const suffix = fc.constantFrom(...suffixes);

describe("the host name of a target URL", () => {
  it("is refused under a suffix of private networks, in any case and with a dot at the end", () => {
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 1, maxLength: 3 }),
        suffix.chain((text) => fc.tuple(fc.constant(text), inAnyCase(text))),
        fc.constantFrom("", "."),
        (labels, [text, written], dot) => {
          expect(problemOf(`${labels.join(".")}.${written}${dot}`)).toMatch(
            new RegExp(`^must not point to a \\.${text.replace(".", "\\.")} name; `, "u"),
          );
        },
      ),
    );
  });

  it("may contain such a suffix anywhere else", () => {
    for (const text of suffixes)
      for (const host of [`${text}.example.com`, `shop-${text}.com`, `my${text}.com`])
        expect(problemOf(host)).toBeUndefined();
  });

  it.each([
    ["localhost", "must not point to localhost"],
    ["a.LOCALHOST.", "must not point to localhost"],
    ["shop", "must name a public host"],
    ["lan", "must name a public host"],
    ["home.arpa", "must not point to a .home.arpa name"],
    ["db.svc.cluster.local", "must not point to a .local name"],
    ["shop..example.com", "must name a host without two dots in a row"],
    ["shop.example.com..", "must name a host without two dots in a row"],
    ["127.0.0.1..", "must name a host without two dots in a row"],
    [`${"a".repeat(64)}.com`, "must name a host whose labels have at most 63 characters"],
    [`${"ü".repeat(60)}.com`, "must name a host whose labels have at most 63 characters"],
    [`${"a.".repeat(126)}com`, "must name a host of at most 253 characters"],
  ])("%s is refused", (host, problem) => {
    expect(problemOf(host)).toContain(problem);
  });

  it.each([
    "hooks.example.com",
    "hooks.example.com.",
    "hooks.test",
    "hooks.example",
    `${"a".repeat(63)}.com`,
    `${"a.".repeat(125)}com`,
    `${"a.".repeat(125)}com.`,
  ])("%s is accepted", (host) => {
    expect(problemOf(host)).toBeUndefined();
  });
});

describe("the port of a target URL", () => {
  it("is 443, 8443, or 1024 and above unless something else is allowed", () => {
    fc.assert(
      fc.property(fc.nat({ max: 65_535 }), (port) => {
        const isAllowed = port === 443 || port >= 1_024;
        expect(problemOf(`example.com:${port}`)).toBe(
          isAllowed ? undefined : `must not use port ${port}; allowed ports are 443, 8443, 1024 to 65535`,
        );
      }),
    );
  });

  it("is what the list allows, ranges with both ends included, and never 0", () => {
    const range = fc.tuple(fc.nat({ max: 65_535 }), fc.nat({ max: 65_535 })).map(([a, b]) => ({
      first: Math.min(a, b),
      last: Math.max(a, b),
    }));
    fc.assert(
      fc.property(range, fc.nat({ max: 65_535 }), ({ first, last }, port) => {
        for (const each of [port, first, last]) {
          const isAllowed = each !== 0 && each >= first && each <= last;
          expect(
            problemOf(`example.com:${each}`, { allowedTargetPorts: [[first, last]] }) === undefined,
          ).toBe(isAllowed);
        }
      }),
    );
  });

  it("is in the message as the option lists it", () => {
    expect(problemOf("example.com:9000", { allowedTargetPorts: [443, [8_000, 8_100]] })).toBe(
      "must not use port 9000; allowed ports are 443, 8000 to 8100",
    );
  });

  it("is 443 when the URL names none", () => {
    expect(problemOf("example.com", { allowedTargetPorts: [443] })).toBeUndefined();
    expect(problemOf("example.com", { allowedTargetPorts: [8_443] })).toBe(
      "must not use port 443; allowed ports are 8443",
    );
  });
});

describe("the text of a target URL", () => {
  it.each([
    [`https://example.com/${"x".repeat(2_029)}`, "must be at most 2048 characters"],
    [" https://example.com/", "must not contain white space or control characters"],
    ["https://exa\tmple.com/", "must not contain white space or control characters"],
    ["https://example.com/\u0000", "must not contain white space or control characters"],
    ["ftp://example.com/", "must start with https://"],
    ["https:/example.com/", "must start with https://"],
    ["https:///example.com/", "must start with https://"],
    ["https://@example.com/", "must not contain a user name or password"],
    ["https://user:word@example.com/", "must not contain a user name or password"],
    ["https://exa%mple.com/", "must be a valid URL"],
    ["http://example.com/", "must start with https://; for a receiver on your machine use"],
  ])("%j is refused", (text, reason) => {
    expect(parseTargetUrl(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it("is accepted as it is, with the scheme in any case", () => {
    expect(parseTargetUrl("HTTPS://example.com/a?b=c@d")).toMatchObject({ ok: true });
    expect(parseTargetUrl(`https://example.com/${"x".repeat(2_028)}`)).toMatchObject({ ok: true });
  });
});

describe("an IP address in a target URL", () => {
  it.each([
    "168.63.129.16.",
    "168.63.33040",
    "168.4161808",
    "2822734096",
    "0xa83f8110",
    "025017700420",
    "0xa8.077.0201.0x10",
    "１６８.63.129.16",
    "[::ffff:168.63.129.16]",
    "[64:ff9b::a83f:8110]",
    "127.1",
    "[::1]",
  ])("%s is refused when it is not public, in every spelling", (host) => {
    expect(problemOf(host)).toMatch(/^must point to a public address, and .* is not one; /u);
  });

  it.each(["93.184.215.14", "[2606:2800:21f::1]"])("%s is accepted", (host) => {
    expect(problemOf(host)).toBeUndefined();
  });
});

it("every host, port and scheme is accepted in trials and for a trusted origin", () => {
  const allowedTargetPorts = [443];
  for (const url of ["http://db.lan:25/", "https://hooks.corp:81/", "http://127.0.0.1:8787/"]) {
    expect(parseTargetUrl(url, { allowedTargetPorts })).toMatchObject({ ok: false });
    expect(parseTargetUrl(url, { allowedTargetPorts, privateTargets: true })).toMatchObject({ ok: true });
    const trustedOrigins = [new URL(url).origin];
    expect(parseTargetUrl(url, { allowedTargetPorts, trustedOrigins })).toMatchObject({ ok: true });
  }
});

describe("the secrets of a URL", () => {
  it.each([
    ["https://a.example/hook", "https://a.example/hook", []],
    ["https://a.example/hook?v=1", "https://a.example/hook?…", ["?v=1"]],
    ["https://a.example?token=abcdef", "https://a.example?…", ["?token=abcdef", "abcdef"]],
    ["https://a.example/x;sid=abcdef/y", "https://a.example/x;…", [";sid=abcdef/y", "abcdef"]],
    ["https://a.example/hook#abcdef", "https://a.example/hook#…", ["#abcdef", "abcdef"]],
    ["https://a.example/fifteen-letters/x", "https://a.example/fifteen-letters/x", []],
    ["https://a.example/sixteen-letters-/x", "https://a.example/sixt…/x", ["sixteen-letters-"]],
    [
      "https://a.example/9f8e7d6c5b4a39281706?k=abc%2Fdef&s=two+words",
      "https://a.example/9f8e…?…",
      ["9f8e7d6c5b4a39281706", "?k=abc%2Fdef&s=two+words", "abc%2Fdef", "abc/def", "two+words", "two words"],
    ],
    ["https://a.example/?k=%zzabcdef", "https://a.example/?…", ["?k=%zzabcdef", "%zzabcdef"]],
  ])("of %s are hidden, and are known for texts that quote it", (url, shown, secrets) => {
    expect(withoutUrlSecrets(url)).toBe(shown);
    expect(toUrlSecrets(url).toSorted()).toEqual(secrets.toSorted());
  });
});
