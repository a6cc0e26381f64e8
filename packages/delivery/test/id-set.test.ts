import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIdSet } from "../src/scheduler/lanes/id-set.ts";

/** Few enough that they meet again, and many that end alike, so that they share a place. */
const ids = fc
  .tuple(fc.constantFrom("", "dlv_", "x"), fc.nat({ max: 60 }), fc.constantFrom("", "00000000", "0000000a"))
  .map(([start, number, end]) => `${start}${number}${end}`);

const steps = fc.array(fc.record({ type: fc.constantFrom("add", "add", "delete", "has"), id: ids }), {
  maxLength: 300,
  size: "max",
});

describe("a set of ids", () => {
  it("answers what a Set would, while it grows and shrinks", () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const set = createIdSet();
        const model = new Set<string>();
        for (const { type, id } of taken) {
          if (type === "add") {
            set.add(id);
            model.add(id);
          } else if (type === "delete") expect(set.delete(id)).toBe(model.delete(id));
          else expect(set.has(id)).toBe(model.has(id));
          expect(set.size).toBe(model.size);
        }
        for (const id of model) expect(set.has(id)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("loses none of those whose places go round the end of the table", () => {
    // Sixteen places, of which they all want the last.
    const [first, second, third] = ["o", "\u{1f}", "/"];
    const set = createIdSet();
    for (const id of [first, second, third]) set.add(id);
    expect(set.delete(first)).toBe(true);
    expect([second, third].map((id) => set.has(id))).toEqual([true, true]);
    expect(set.delete(second)).toBe(true);
    expect([set.has(second), set.has(third)]).toEqual([false, true]);
  });

  it("is empty again after ten thousand have come and gone", () => {
    const set = createIdSet();
    const many = Array.from({ length: 10_000 }, (_, index) => `dlv_${index}`);
    for (const id of many) set.add(id);
    expect(many.every((id) => set.has(id))).toBe(true);
    expect(many.every((id) => set.delete(id))).toBe(true);
    expect(set.size).toBe(0);
    set.add("dlv_1");
    expect([set.has("dlv_1"), set.has("dlv_2")]).toEqual([true, false]);
  });
});
