import fc from "fast-check";
import { expect, it } from "vitest";
import { createPublishedLately, latelyMs } from "../src/scheduler/lanes/published-lately.ts";

it("what was published counts for fifteen seconds at least and thirty at most, each until a turn is taken for it", () => {
  const lately = createPublishedLately();
  expect(lately.isEmpty(0)).toBe(true);
  lately.add(0);
  lately.add(14_999);
  expect(lately.isEmpty(29_999)).toBe(false);
  lately.take();
  expect(lately.isEmpty(29_999)).toBe(false);
  lately.take();
  expect(lately.isEmpty(29_999)).toBe(true);
  // Nothing is owed for a turn of something else.
  lately.take();
  lately.add(29_999);
  expect(lately.isEmpty(44_998)).toBe(false);
  expect(lately.isEmpty(59_999)).toBe(true);
});

it("a clock that is set back forgets what was published after it", () => {
  const lately = createPublishedLately();
  lately.add(3_600_000);
  expect(lately.isEmpty(0)).toBe(true);
  lately.add(0);
  expect(lately.isEmpty(1)).toBe(false);
});

it("whatever is published and taken when, of the last fifteen seconds nothing is missing, and of more than thirty nothing is left", () => {
  const few = fc.nat({ max: 3 });
  const steps = fc.array(fc.record({ passedMs: fc.nat({ max: 20_000 }), published: few, taken: few }), {
    maxLength: 50,
  });
  fc.assert(
    fc.property(steps, (given) => {
      const lately = createPublishedLately();
      const published: number[] = [];
      const taken: number[] = [];
      let now = 0;
      for (const step of given) {
        now += step.passedMs;
        for (let count = 0; count < step.published; count += 1) {
          lately.add(now);
          published.push(now);
        }
        for (let count = 0; count < step.taken && !lately.isEmpty(now); count += 1) {
          lately.take();
          taken.push(now);
        }
      }
      let left = 0;
      for (; !lately.isEmpty(now); left += 1) lately.take();
      const within = (times: readonly number[], ms: number): number =>
        times.filter((at) => now - at < ms).length;
      expect(left).toBeLessThanOrEqual(within(published, latelyMs));
      expect(left).toBeGreaterThanOrEqual(within(published, latelyMs / 2) - within(taken, latelyMs / 2));
    }),
  );
});
