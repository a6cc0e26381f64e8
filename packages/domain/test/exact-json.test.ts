import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson, stringifyJson } from "../src/index.ts";

/** The significant digits of a JSON number. */
const digitsOf = (text: string): string =>
  (text.toLowerCase().split("e")[0] ?? "").replace(/[-.]/gu, "").replace(/^0+|0+$/gu, "");

describe("parseJson", () => {
  it.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["9007199254740993.0", 9007199254740993n],
    ["12345678901234567890", 12345678901234567890n],
    ["9.50", 9.5],
    ["-0.0000000000000000", -0],
    ["0.30000000000000004", 0.30000000000000004],
    ["33.3333333333333333", "33.3333333333333333"],
    ["12345678901234.123456", "12345678901234.123456"],
    ["1e30", 1e30],
    ["1e400", "1e400"],
    ["1e-400", "1e-400"],
  ])("reads %s without a loss", (source, value) => {
    expect(parseJson(`{"list":[ ${source}]}`)).toEqual({ list: [value] });
    expect(parseJson(source)).toEqual(value);
  });

  // Work that grows with the square of the length takes minutes, and so fails by the time-out of the test.
  it.each([
    ["a whole number", "7".repeat(500_000)],
    ["zeros before a digit", `1.${"0".repeat(500_000)}1`],
    ["zeros before a point", `1${"0".repeat(500_000)}1.5`],
  ])("reads %s of half a million digits as its text", (_, source) => {
    expect(parseJson(source)).toBe(source);
  });

  it("does not touch digits within texts", () => {
    const text =
      '{"id":"gid://shop/Order/5123456789012345678","note":"total: 12345678901234567890","__proto__":1}';
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  it("reads every number of JavaScript as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = JSON.stringify([value]);
        const [read] = parseJson(text) as [unknown];
        expect(typeof read === "bigint" ? Number(read) : read).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it("keeps the digits of every number", () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,24})(?:\.\d{1,12})?$/u);
    fc.assert(
      fc.property(digits, fc.boolean(), (source, isNegative) => {
        const sent = isNegative ? `-${source}` : source;
        const [read] = parseJson(`[${sent}]`) as [unknown];
        // A number of 64 bits may have been written with 17 digits.
        if (typeof read === "number" && digitsOf(sent).length > 15)
          expect(digitsOf(sent).length).toBeLessThanOrEqual(17);
        else expect(digitsOf(String(read))).toBe(digitsOf(sent));
      }),
    );
  });
});

describe("stringifyJson", () => {
  it("writes what parseJson reads", () => {
    const text = '{"id":9007199254740993,"total":9.5,"list":[null,true,"1"]}';
    expect(stringifyJson(parseJson(text))).toBe(text);
  });
});
