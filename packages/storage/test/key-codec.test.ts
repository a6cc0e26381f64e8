import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { decodeKey, encodeKey } from "../src/keys/key-codec.ts";
import type { Key } from "../src/port.ts";

it("an invalid encoded key is rejected", () => {
  const encoded = encodeKey(["p05", "a\0b"]);
  expect(decodeKey(encoded)).toEqual(["p05", "a\0b"]);
  for (const text of [encoded.slice(0, -1), "p05 written by hand"]) {
    expect(() => decodeKey(text)).toThrow(expect.objectContaining({ code: "corrupted" }));
  }
});

it("a key has the same encoding without Buffer", async () => {
  const key = ["p05", "a\0b", "é", "", -1] as const;
  const encoded = encodeKey(key);
  vi.stubGlobal("Buffer", undefined);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });
  vi.resetModules();
  const elsewhere = await import("../src/keys/key-codec.ts");
  const again = elsewhere.encodeKey(key);
  const decoded = elsewhere.decodeKey(again);
  vi.unstubAllGlobals();
  expect(again).toBe(encoded);
  expect(decoded).toEqual(key);
});

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

it("encoded keys are ordered like their keys, and are decoded to them", () => {
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
