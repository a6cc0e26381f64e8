import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeKey, encodeKey } from "../src/keys/key-codec.ts";
import { createKnownPrefixes } from "../src/keys/known-prefixes.ts";
import type { Key } from "../src/port.ts";

/** Few values, so that most keys share a prefix with an earlier key. */
const part = fc.constantFrom(
  "",
  "a",
  "ab",
  "ab\0",
  "\0",
  "\0a",
  "é",
  "\u{10FFFF}",
  "a".repeat(300),
  0,
  -1,
  7,
  2 ** 52,
);
const key = fc.tuple(
  fc.constantFrom("p00", "p63"),
  fc.constantFrom("record", "list", 5),
  fc.array(part, { maxLength: 5 }),
);

it("the encoding of a key does not depend on earlier keys", () => {
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 40 }), (drawn) => {
      const keys = drawn.map(([partition, kind, rest]): Key => [partition, kind, ...rest]);
      for (const one of keys) expect(decodeKey(encodeKey(one))).toEqual(one);
      for (const one of keys)
        for (const other of keys) expect(orderOf(encodeKey(one), encodeKey(other))).toBe(compare(one, other));
    }),
    { numRuns: 300 },
  );
});

it("a rejected key does not change the cache", () => {
  const known: Key = ["p00", "refused", "account", "one"];
  encodeKey(known);
  expect(() => encodeKey(["p00", "refused", "another", "a".repeat(3_000)])).toThrow(/takes more than/);
  expect(() => encodeKey(["p00", "refused", "account", 0.5])).toThrow(/safe integer/);
  expect(decodeKey(encodeKey(known))).toEqual(known);
});

it("the number of cached kinds is limited", () => {
  const known = createKnownPrefixes();
  const keys = Array.from({ length: 1_000 }, (_, index): Key => ["p00", index, "account"]);
  for (const one of keys) {
    const bytes = Buffer.from(encodeKey(one), "latin1");
    known.learn(one, bytes, 0, bytes.length);
    expect(known.of(one)).toMatchObject({ parts: one });
  }
  expect(keys.filter((one) => known.of(one) !== undefined).length).toBeLessThanOrEqual(256);
});

/** Compares part by part: numbers before texts, a key before longer keys that begin with it. */
function compare(left: Key, right: Key): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [one, other] = [left[index], right[index]];
    if (one === other) continue;
    if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
    if (typeof one === "number") return one < Number(other) ? -1 : 1;
    return Math.sign(Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))));
  }
  return Math.sign(left.length - right.length);
}

function orderOf(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
