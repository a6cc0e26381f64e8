import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAmount, roundAmount } from "../src/money.ts";

describe("roundAmount", () => {
  it("keeps amounts with up to six decimals", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 6 }), (digits, decimals) => {
        const amount = Number(`${digits}e-${decimals}`);
        expect(roundAmount(amount)).toBe(amount + 0);
      }),
    );
  });

  it("removes the binary noise of sums", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 20 }), (cents) => {
        const sum = cents.reduce((total, each) => total + each / 100, 0);
        expect(roundAmount(sum)).toBe(cents.reduce((total, each) => total + each, 0) / 100);
      }),
    );
  });

  it.each([
    [0.1 + 0.2, 0.3],
    [1.0000005, 1.000001],
    [-1.0000005, -1.000001],
    [1.0000004999, 1],
    [2.5e-7, 0],
    [-2.5e-7, 0],
    [5e-7, 0.000001],
    [1.0055555, 1.005556],
    [12345678.1234565, 12345678.123457],
    [-0, 0],
    [4264491778.3232603, 4264491778.32326],
    [1e300, 1e300],
  ])("of %d is %d", (amount, rounded) => {
    expect(Object.is(roundAmount(amount), rounded)).toBe(true);
  });
});

describe("parseAmount", () => {
  it.each([
    ["9.00", 9],
    [" -1234.5 ", -1234.5],
    ["+.5", 0.5],
    ["7.", 7],
    ["0E-8", 0],
    ["1.5e3", 1500],
    ["0.12345678901234567890", 0.123457],
    ["123456789012345.00", 123456789012345],
    ["9007199254740991", 9007199254740991],
  ])("reads %j as %d", (text, amount) => {
    expect(parseAmount(text)).toBe(amount);
  });

  it.each([
    "",
    ".",
    "-",
    "9,00",
    "1 000",
    "1_000",
    "9.00 EUR",
    "0x10",
    "NaN",
    "Infinity",
    "1e999",
    "9007199254740993",
    "12345678901234.567",
  ])("does not read %j", (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });
});
