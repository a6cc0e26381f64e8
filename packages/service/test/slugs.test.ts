import { describe, expect, it } from "vitest";
import { slugCandidates, slugOf } from "../src/content/slugs.ts";

describe("a slug", () => {
  it.each([
    ["Opening hours", "opening-hours"],
    ["Äpfel & Öl", "aepfel-and-oel"],
    ["2024 🦄", "post"],
    ["今日は", "post"],
    ["", "post"],
    [`${"a".repeat(189)} b`, "a".repeat(189)],
    ["a".repeat(500), "a".repeat(190)],
  ])("of %j", (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  it("has candidates without end, none longer than 200 characters", () => {
    const candidates = slugCandidates("a".repeat(200));
    const [first, second, third] = [1, 2, 3].map(() => candidates.next().value);
    expect([first, second, third]).toEqual(["a".repeat(200), `${"a".repeat(190)}-2`, `${"a".repeat(190)}-3`]);
  });

  it("has no candidate that ends in half of a surrogate pair", () => {
    const candidates = slugCandidates(`${"a".repeat(189)}🦄`);
    const [first, second] = [1, 2].map(() => candidates.next().value);
    expect([first, second]).toEqual([`${"a".repeat(189)}🦄`, `${"a".repeat(189)}-2`]);
  });
});
