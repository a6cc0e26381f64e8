import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areSurelyDifferent } from "../src/publishing/are-surely-different.ts";

const isSame = (one: number, other: number): boolean => one === other;

describe("whether all are surely different", () => {
  it("is said of few, as it is", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 64 }), (items) => {
        expect(areSurelyDifferent(items, isSame)).toBe(new Set(items).size === items.length);
      }),
    );
  });

  it("is not said of many, which are looked up by name instead", () => {
    const many = Array.from({ length: 65 }, (_, index) => index);
    expect(areSurelyDifferent(many.slice(1), isSame)).toBe(true);
    expect(areSurelyDifferent(many, isSame)).toBe(false);
  });
});
