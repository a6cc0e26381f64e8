import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createTimerQueue } from "../src/sending/timer-queue.ts";
import { createFakeClock } from "./support/fake-clock.ts";

it("each item is due once, at its earliest time, within 25 ms", async () => {
  const wish = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 2_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { maxLength: 100 }), async (wishes) => {
      const clock = createFakeClock();
      const begun = clock.now();
      const due: (readonly [item: number, at: number])[] = [];
      const timers = createTimerQueue<number>({
        clock,
        onDue: (items) => items.forEach((item) => due.push([item, clock.now() - begun])),
      });
      for (const [item, at] of wishes) timers.wakeAt(item, begun + at);
      await clock.advance(3_000);
      const earliest = new Map<number, number>();
      for (const [item, at] of wishes) earliest.set(item, Math.min(at, earliest.get(item) ?? at));
      expect(due.map(([item]) => item).toSorted()).toEqual([...earliest.keys()].toSorted());
      for (const [item, at] of due) {
        expect(at).toBeGreaterThanOrEqual(earliest.get(item) ?? 0);
        expect(at).toBeLessThanOrEqual((earliest.get(item) ?? 0) + 25);
      }
    }),
    { numRuns: 50 },
  );
});

it("nothing is due after it was stopped", async () => {
  const clock = createFakeClock();
  const due: string[] = [];
  const timers = createTimerQueue<string>({ clock, onDue: (items) => due.push(...items) });
  timers.wakeAt("a", clock.now() + 100);
  timers.stop();
  await clock.advance(1_000);
  expect(due).toEqual([]);
});
