import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeSnapshot, touchSnapshot } from "../src/record-snapshot.ts";
import type { PublishedSnapshot, RecordSnapshot } from "../src/record-snapshot.ts";

/** Publishes events in order and returns for each whether its data was stored. */
function publishAll(...all: readonly PublishedSnapshot[]): boolean[] {
  let before: RecordSnapshot | undefined;
  return all.map((each) => {
    const { snapshot, isOutdated } = takeSnapshot(before, each);
    before = snapshot;
    return !isOutdated;
  });
}

const created = (now: number, asOf?: number): PublishedSnapshot => ({ event: "order.created", asOf, now });
const paid = (now: number, asOf?: number): PublishedSnapshot => ({ event: "order.paid", asOf, now });

describe("the stored state of a record", () => {
  it("is that of a repeated event if there is no other", () => {
    expect(publishAll(created(10), created(20), created(30))).toEqual([true, true, true]);
  });

  it("stays that of the later event if the earlier one is repeated", () => {
    expect(publishAll(created(10), paid(20), created(30), paid(40), created(50))).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
  });

  it("records which event was first, also within a millisecond and after the clock was set back", () => {
    expect(publishAll(created(10), paid(10), created(10))).toEqual([true, true, false]);
    expect(publishAll(created(10), paid(5), created(20))).toEqual([true, true, false]);
  });

  it("depends on as_of if the host sends it", () => {
    expect(publishAll(paid(10, 7), created(20, 3))).toEqual([true, false]);
    expect(publishAll(paid(10, 7), created(20, 7))).toEqual([true, true]);
    expect(publishAll(created(10), created(20, 9), created(30, 11))).toEqual([true, false, true]);
  });

  it("accepts an as_of in whole seconds for any time of its second", () => {
    expect(publishAll(created(10_500), paid(10_600, 10_000))).toEqual([true, true]);
    expect(publishAll(created(10_500), paid(10_600, 9_000))).toEqual([true, false]);
    expect(publishAll(created(10_500), paid(10_600, 10_000), created(10_700))).toEqual([true, true, false]);
  });

  it("is newer than every earlier snapshot after another change", () => {
    const { snapshot } = takeSnapshot(undefined, created(10));
    expect(touchSnapshot(snapshot, { isChanged: false, now: 50 })).toBe(snapshot);
    const touched = touchSnapshot(snapshot, { isChanged: true, now: 5 });
    expect(takeSnapshot(touched, created(30)).isOutdated).toBe(true);
    expect(takeSnapshot(touched, created(30, 31)).isOutdated).toBe(false);
  });

  it("never gets older", () => {
    const publication = fc.record({
      event: fc.constantFrom("order.created" as const, "order.paid" as const),
      asOf: fc.option(fc.nat(100), { nil: undefined }),
      now: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(publication, { maxLength: 12 }), (all) => {
        let before: RecordSnapshot | undefined;
        for (const each of all) {
          const { snapshot, isOutdated } = takeSnapshot(before, each);
          if (before !== undefined) {
            expect(snapshot.as_of).toBeGreaterThanOrEqual(before.as_of);
            if (isOutdated) expect(snapshot.as_of).toBe(before.as_of);
            if (each.asOf !== undefined && each.asOf % 1_000 !== 0)
              expect(isOutdated).toBe(each.asOf < before.as_of);
          }
          expect(snapshot.published).toHaveLength(snapshot.events.length);
          expect(new Set(snapshot.published).size).toBe(snapshot.published.length);
          before = snapshot;
        }
      }),
    );
  });
});
