import { describe, expect, it } from "vitest";
import { nextWindowOf, toWindowOf, windowMs } from "../bench/support/windows.ts";

const both = windowMs * 2;
const moments = Array.from({ length: both / 10 }, (_, index) => 5 * both + index * 10);

describe("time windows of two alternating servers", () => {
  it("belong to one side and then to the other", () => {
    expect(toWindowOf("empty", both)).toBe(both);
    expect(toWindowOf("backlog", both)).toBe(both + windowMs);
    expect(toWindowOf("empty", both + windowMs)).toBe(both * 2);
    expect(toWindowOf("backlog", both + windowMs)).toBe(both + windowMs);
  });

  it("start as whole windows, and each side's windows are two apart", () => {
    expect(nextWindowOf("empty", both)).toBe(both);
    expect(nextWindowOf("backlog", both)).toBe(both + windowMs);
    expect(nextWindowOf("empty", both + 1)).toBe(both * 2);
    expect(nextWindowOf("backlog", both + 1)).toBe(both + windowMs);
    expect(nextWindowOf("backlog", both + windowMs + 1)).toBe(both * 2 + windowMs);
  });

  it.each(["empty", "backlog"] as const)(
    "move work from the other side's window to the next own one (%s)",
    (side) => {
      for (const at of moments) {
        const due = toWindowOf(side, at);
        expect(toWindowOf(side, due)).toBe(due);
        expect([at, at + windowMs]).toContain(due);
      }
    },
  );

  it("spread work evenly over one side's windows", () => {
    const phases = moments
      .map((at) => toWindowOf("backlog", at) % both)
      .toSorted((one, other) => one - other);
    const [first = -1] = phases;
    expect(first).toBe(windowMs);
    expect(phases).toEqual(moments.map((_, index) => first + Math.floor(index / 2) * 10));
  });
});
