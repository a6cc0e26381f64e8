import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemblePage } from "../src/assemble-page.ts";
import { createCursorCodec, type Position } from "../src/cursor-codec.ts";

const page = (rows: readonly number[], limit: number) =>
  assemblePage({ rows, limit, positionOf: (row) => [row], encode: (position) => `after ${position.join()}` });

describe("a page", () => {
  it("has more if there is an additional row, and its cursor is its last row", () => {
    expect(page([9, 8, 7], 2)).toStrictEqual({
      rows: [9, 8],
      meta: { has_more: true, next_cursor: "after 8" },
    });
  });

  it("is the last one if the rows fit exactly", () => {
    expect(page([9, 8], 2)).toStrictEqual({ rows: [9, 8], meta: { has_more: false, next_cursor: null } });
    expect(page([], 2)).toStrictEqual({ rows: [], meta: { has_more: false, next_cursor: null } });
  });

  it("sequence returns every row once with any limits, while other rows come and go", () => {
    const cursors = createCursorCodec({ secret: "a secret of thirty-two characters" });
    const scope = ["acc_1", "orders"];
    const limits = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 });
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(keys, keys, limits, (lasting, passing, sizes) => {
        const passers = passing.filter((key) => !lasting.includes(key));
        const seen: number[] = [];
        let cursor: string | null = null;
        for (let turn = 0; turn === 0 || cursor !== null; turn++) {
          const position: Position | undefined =
            cursor === null ? [Infinity] : cursors.decode({ scope, cursor });
          // The temporary rows exist for every other page.
          const table = turn % 2 === 0 ? lasting : [...lasting, ...passers];
          const limit = sizes[turn % sizes.length] ?? 1;
          const behind: number[] = table
            .filter((key) => key < Number(position?.[0]))
            .toSorted((one, other) => other - one);
          const { rows, meta } = assemblePage({
            rows: behind.slice(0, limit + 1),
            limit,
            positionOf: (key) => [key],
            encode: (next) => cursors.encode({ scope, position: next }),
          });
          seen.push(...rows);
          cursor = meta.next_cursor;
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((key) => lasting.includes(key))).toStrictEqual(
          lasting.toSorted((one, other) => other - one),
        );
      }),
    );
  });
});
