import * as fc from "fast-check";
import { expect, it } from "vitest";
import { more } from "../../../scripts/test/support/seed.ts";
import { encodeKey } from "../src/keys/key-codec.ts";
import { createSortedRows } from "../src/memory/sorted-rows.ts";

/**
 * A sequence of keys of one kind, as publishing, delivering and sweeping use them. Enough to fill and empty
 * blocks.
 */
const burst = fc.record({
  action: fc.constantFrom("set", "set", "delete", "get"),
  kind: fc.constantFrom("record", "record-list", "delivery", "delivery-log", "x"),
  start: fc.nat({ max: 2_000 }),
  count: fc.nat({ max: 600 }),
  step: fc.constantFrom(1, 1, 1, -1, 7, 601),
});

it("rows match a sorted list after any sequence of changes", () => {
  fc.assert(
    fc.property(fc.array(burst, { minLength: 1, maxLength: 30 }), fc.nat(), (bursts, seed) => {
      const rows = createSortedRows<number>();
      const model = new Map<string, number>();
      let made = seed;
      for (const { action, kind, start, count, step } of bursts) {
        for (let index = 0; index < count; index++) {
          // Numeric names sort as texts: 10 comes before 9.
          const key = encodeKey(["p00", kind, String(Math.abs(start + index * step) % 3_000)]);
          made += 1;
          if (action === "set") {
            rows.set(key, made);
            model.set(key, made);
          } else if (action === "delete") {
            rows.delete(key);
            model.delete(key);
          }
          if (rows.get(key) !== model.get(key)) expect.fail(`${action} of ${JSON.stringify(key)}`);
        }
      }
      const sorted = Array.from(model).sort(([left], [right]) => (left < right ? -1 : 1));
      expect(visited(rows, { reverse: false })).toEqual(sorted);
      expect(visited(rows, { reverse: true })).toEqual(sorted.toReversed());
      for (const [key, row] of sorted)
        if (rows.get(key) !== row) expect.fail(`${JSON.stringify(key)} was lost`);
    }),
    { numRuns: 50 * more },
  );
});

function visited(
  rows: ReturnType<typeof createSortedRows<number>>,
  { reverse }: { readonly reverse: boolean },
): [string, number][] {
  const found: [string, number][] = [];
  rows.visit({ from: "", to: "\u{10FFFF}", reverse }, (key, row) => found.push([key, row]) > 0);
  return found;
}
