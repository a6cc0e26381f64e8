import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areSurelyDifferent } from "../src/publishing/are-surely-different.ts";

const named = (count: number, toText: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, number) => toText(number));

describe("areSurelyDifferent", () => {
  it("is false if two texts are equal, and true for a thousand ids or addresses", () => {
    const short = fc.string({ maxLength: 3 });
    const long = fc.string({ minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(fc.oneof(short, long), { maxLength: 200 }), (texts) => {
        const isSaid = areSurelyDifferent(texts);
        expect(isSaid && new Set(texts).size < texts.length).toBe(false);
      }),
    );
    for (const toText of [
      (number: number) => `ord_${number}`,
      (number: number) => `customer${number}@example.com`,
      (number: number) => `dlv_019a9c3f5b2e7c41a0f3${String(number).padStart(12, "0")}`,
    ]) {
      expect(areSurelyDifferent(named(1_000, toText))).toBe(true);
      expect(areSurelyDifferent([...named(1_000, toText), toText(500)])).toBe(false);
    }
    expect(areSurelyDifferent([])).toBe(true);
    expect(areSurelyDifferent(["", ""])).toBe(false);
  });

  it("is false if too many texts have equal hashes", () => {
    const alike = named(
      1_000,
      (number) => `${"x".repeat(20)}${String(number).padStart(5, "0")}${"y".repeat(10)}`,
    );
    expect(areSurelyDifferent(alike.slice(0, 10))).toBe(true);
    expect(areSurelyDifferent(alike)).toBe(false);
  });
});
