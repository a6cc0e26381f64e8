import fc from "fast-check";
import { expect, it } from "vitest";
import { findNearest } from "../src/find-nearest.ts";

const names = ["port", "host", "storage", "role", "retry-delays"];

it.each([
  ["prot", "port"],
  ["ports", "port"],
  ["hots", "host"],
  ["storge", "storage"],
  ["rolle", "role"],
  ["retrydelay", "retry-delays"],
  ["retry", "retry-delays"],
  ["retr", "retry-delays"],
  ["delays", "retry-delays"],
  ["retrie-delay", "retry-delays"],
  ["rool", "role"],
  ["STORAGE", "storage"],
])("%s is close to %s", (text, name) => {
  expect(findNearest(text, names)).toBe(name);
});

it.each(["", "p", "ret", "quiet", "retention", "x".repeat(40)])("no name is close to %j", (text) => {
  expect(findNearest(text, names)).toBeUndefined();
});

it("a short name is not close to every short text", () => {
  expect(findNearest("x", ["to"])).toBeUndefined();
  expect(findNearest("ot", ["to"])).toBe("to");
});

it("a name is closest to itself, also with one letter changed", () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom("", "_", "__"), (name, at, letters) => {
      const index = at % name.length;
      expect(findNearest(name, names)).toBe(name);
      expect(findNearest(name.slice(0, index) + letters + name.slice(index), names)).toBe(name);
    }),
  );
});
