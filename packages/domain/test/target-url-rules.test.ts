import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { targetNameProblem, targetPortProblem } from "../src/target-url-rules.ts";

/** As a `target_url` names it: the URL parser writes the host in lower case and without the default port. */
const parse = (host: string): URL => new URL(`https://${host}/`);
const nameProblem = (host: string): string | undefined => targetNameProblem(parse(host).hostname);

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
  it("is refused under a suffix that no public name has, in any case and with a dot at the end", () => {
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 1, maxLength: 3 }),
        suffix.chain((text) => fc.tuple(fc.constant(text), inAnyCase(text))),
        fc.constantFrom("", "."),
        (labels, [text, written], dot) => {
          expect(nameProblem(`${labels.join(".")}.${written}${dot}`)).toMatch(
            new RegExp(`^must not point to a \\.${text.replace(".", "\\.")} name; `, "u"),
          );
        },
      ),
    );
  });

  it("may contain the word of such a suffix anywhere else", () => {
    for (const text of suffixes)
      for (const host of [`${text}.example.com`, `shop-${text}.com`, `my${text}.com`])
        expect(nameProblem(host)).toBeUndefined();
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
    expect(nameProblem(host)).toContain(problem);
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
    expect(nameProblem(host)).toBeUndefined();
  });
});

describe("the port of a target URL", () => {
  it("is 443, 8443, or 1024 and above unless something else is allowed", () => {
    fc.assert(
      fc.property(fc.nat({ max: 65_535 }), (port) => {
        const isAllowed = port === 443 || port >= 1_024;
        expect(targetPortProblem(parse(`example.com:${port}`))).toBe(
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
          expect(targetPortProblem(parse(`example.com:${each}`), [[first, last]]) === undefined).toBe(
            isAllowed,
          );
        }
      }),
    );
  });

  it("is 443 where the URL names none", () => {
    expect(targetPortProblem(parse("example.com"), [443])).toBeUndefined();
    expect(targetPortProblem(parse("example.com"), [8_443])).toBe(
      "must not use port 443; allowed ports are 8443",
    );
  });
});
