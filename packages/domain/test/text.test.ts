import { describe, expect, it } from "vitest";
import { beginningOf } from "../src/beginning-of.ts";

describe("the beginning of a text", () => {
  it.each([
    ["abc", 2, "ab"],
    ["abc", 3, "abc"],
    ["abc", 10, "abc"],
    ["a🦄", 2, "a"],
    ["a🦄", 3, "a🦄"],
    ["🦄🦄", 3, "🦄"],
    ["\ud800abc", 3, "\ud800ab"],
    ["🦄", 1, ""],
    ["", 1, ""],
  ])("of %j, %i units long", (text, units, beginning) => {
    expect(beginningOf(text, units)).toBe(beginning);
  });
});
