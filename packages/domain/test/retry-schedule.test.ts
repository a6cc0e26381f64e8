import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultRetryDelaysSeconds, maximumTries, retryDelayMs } from "../src/retry-schedule.ts";

describe("the retry schedule", () => {
  it("waits 15 s, 60 s, 4 min, 9 min, 15 min, and then ends", () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attemptsMade) => retryDelayMs({ attemptsMade, random: () => 0.5 }));
    expect(waits).toStrictEqual([15_000, 60_000, 240_000, 540_000, 900_000, undefined]);
    expect(maximumTries).toBe(defaultRetryDelaysSeconds.length + 1);
  });

  it("takes 29 min 15 s ± 10 % in total", () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.array(random, { minLength: 5, maxLength: 5 }), (draws) => {
        let total = 0;
        for (const [index, draw] of draws.entries()) {
          const delay = retryDelayMs({ attemptsMade: index + 1, random: () => draw }) ?? Number.NaN;
          const middle = (defaultRetryDelaysSeconds[index] ?? 0) * 1_000;
          expect(Math.abs(delay - middle)).toBeLessThanOrEqual(middle / 10);
          total += delay;
        }
        expect(Math.abs(total - 1_755_000)).toBeLessThanOrEqual(175_500);
      }),
    );
  });

  it("uses the full range of its jitter", () => {
    expect(retryDelayMs({ attemptsMade: 1, random: () => 0 })).toBe(13_500);
    expect(retryDelayMs({ attemptsMade: 1, random: () => 0.999_999_999 })).toBe(16_500);
  });

  it("accepts other delays, also fractions of a second", () => {
    const delaysSeconds = [0.05];
    expect(retryDelayMs({ attemptsMade: 1, delaysSeconds, random: () => 0.5 })).toBe(50);
    expect(retryDelayMs({ attemptsMade: 2, delaysSeconds, random: () => 0.5 })).toBeUndefined();
    expect(retryDelayMs({ attemptsMade: 1, delaysSeconds: [], random: () => 0.5 })).toBeUndefined();
  });
});

describe("a longer wait that the endpoint asks for", () => {
  const delaySeconds = (attemptsMade: number, askedSeconds: number, random = 0.5) => {
    const delayMs = retryDelayMs({ attemptsMade, random: () => random, retryAfterMs: askedSeconds * 1_000 });
    return delayMs === undefined ? undefined : delayMs / 1_000;
  };

  it("is obeyed up to the next step of the schedule, and a shorter one is not", () => {
    expect(delaySeconds(1, 15)).toBe(15);
    expect(delaySeconds(1, 1)).toBe(15);
    expect(delaySeconds(1, 40, 0)).toBe(40);
    expect(delaySeconds(1, 40)).toBe(42);
    expect(delaySeconds(1, 3_600)).toBe(60);
    expect(delaySeconds(4, Number.MAX_SAFE_INTEGER)).toBe(900);
  });

  it("changes nothing at the last step, and makes no further attempt", () => {
    expect(delaySeconds(5, 3_600)).toBe(900);
    expect(delaySeconds(6, 3_600)).toBeUndefined();
  });

  it("never shortens the schedule, and never goes beyond the next step with its jitter", () => {
    const number = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 2_000_000 }),
        number,
        (attempt, asked, draw) => {
          const random = () => draw;
          const scheduled = retryDelayMs({ attemptsMade: attempt, random }) ?? Number.NaN;
          const next = retryDelayMs({ attemptsMade: attempt + 1, random }) ?? Number.NaN;
          const delay = retryDelayMs({ attemptsMade: attempt, random, retryAfterMs: asked }) ?? Number.NaN;
          expect(delay).toBeGreaterThanOrEqual(scheduled);
          expect(delay).toBeGreaterThanOrEqual(Math.min(asked, next));
          expect(delay).toBeLessThanOrEqual(Math.max(scheduled, next));
        },
      ),
    );
  });
});
