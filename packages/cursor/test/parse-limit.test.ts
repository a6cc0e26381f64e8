import { describe, expect, it } from "vitest";
import { parseLimit } from "../src/parse-limit.ts";

const bounds = { maximum: 100, default: 25 };

describe("a limit", () => {
  it.each([
    [undefined, 25],
    ["", 25],
    [" ", 25],
    ["1", 1],
    ["25", 25],
    ["100", 100],
  ])("of %j is %i", (text, limit) => {
    expect(parseLimit(text, bounds)).toBe(limit);
  });

  it.each([
    "0",
    "101",
    "-1",
    "+5",
    "05",
    "1.0",
    "1e1",
    "0x10",
    " 5",
    "5 ",
    "5\n",
    "٥",
    "abc",
    "9".repeat(400),
    "Infinity",
  ])("is rejected, not clamped, for %j", (text) => {
    expect(parseLimit(text, bounds)).toBeUndefined();
  });
});
