import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencyDecimals, currencySchema, fromMinorUnits, toMinorUnits } from "../src/money.ts";

const currencies = fc.constantFrom("EUR", "USD", "JPY", "KWD", "CLF", "ZZZ");

describe("money", () => {
  it("comes back from minor units as it went in", () => {
    fc.assert(
      fc.property(currencies, fc.integer({ min: -1e12, max: 1e12 }), (currency, minor) => {
        expect(toMinorUnits(fromMinorUnits(minor, currency), currency)).toBe(minor === 0 ? 0 : minor);
      }),
    );
  });

  it("prints as the amount that came in, however large", () => {
    expect(fromMinorUnits(toMinorUnits(42952471551632.38, "EUR") ?? Number.NaN, "EUR")).toBe(
      42952471551632.38,
    );
    fc.assert(
      fc.property(currencies, fc.maxSafeInteger(), (currency, minor) => {
        const amount = fromMinorUnits(minor, currency);
        const count = toMinorUnits(amount, currency) ?? Number.NaN;
        expect(fromMinorUnits(count, currency)).toBe(amount + 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it("prints as the decimal that was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e10 }), fc.integer({ min: 0, max: 99 }), (units, cents) => {
        const written = Number(`${units}.${String(cents).padStart(2, "0")}`);
        expect(fromMinorUnits(toMinorUnits(written, "EUR") ?? Number.NaN, "EUR")).toBe(written);
      }),
    );
  });

  it("takes the binary noise of sums, and drops it", () => {
    expect(toMinorUnits(0.1 + 0.2, "EUR")).toBe(30);
    expect(toMinorUnits(100.3 - 100.2, "EUR")).toBe(10);
    expect(toMinorUnits(1.1 * 3, "EUR")).toBe(330);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e7 }), { maxLength: 50 }), (cents) => {
        const sum = cents.reduce((total, each) => total + each / 100, 0);
        expect(toMinorUnits(sum, "EUR")).toBe(cents.reduce((total, each) => total + each, 0));
      }),
    );
  });

  it("refuses more decimals than the currency has", () => {
    expect(toMinorUnits(1.005, "EUR")).toBeUndefined();
    expect(toMinorUnits(1.5, "JPY")).toBeUndefined();
    expect(toMinorUnits(1.005, "KWD")).toBe(1_005);
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 1, max: 9 }), (cents, mills) => {
        expect(toMinorUnits((cents * 10 + mills) / 1_000, "EUR")).toBeUndefined();
      }),
    );
  });

  it("refuses what cannot be counted exactly", () => {
    for (const amount of [1e15, Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(toMinorUnits(amount, "EUR")).toBeUndefined();
    }
  });

  it("has no negative zero", () => {
    expect(Object.is(toMinorUnits(-0, "EUR"), 0)).toBe(true);
  });

  it("knows the decimals of a currency", () => {
    expect(["EUR", "JPY", "KWD", "eur"].map(currencyDecimals)).toStrictEqual([2, 0, 3, undefined]);
  });

  it.each(["eur", "EU", "EURO", "E1R", "", "ÄÖÜ"])("takes no currency called %j", (currency) => {
    expect(currencySchema.safeParse(currency).success).toBe(false);
    expect(toMinorUnits(1, currency)).toBeUndefined();
    expect(() => fromMinorUnits(1, currency)).toThrow(RangeError);
  });
});
