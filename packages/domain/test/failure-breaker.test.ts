import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countAttempt, type FailureCount } from "../src/failure-breaker.ts";

const day = 24 * 60 * 60 * 1_000;
const fresh: FailureCount = { consecutiveFailures: 0, lastWarningAt: null };

function fail(times: number, from: FailureCount, now = 0, stepMs = 0) {
  const actions: string[] = [];
  let count = from;
  for (let time = 0; time < times; time++) {
    const counted = countAttempt(count, { accepted: false, now: now + time * stepMs });
    actions.push(counted.action);
    count = counted;
  }
  return { actions, count };
}

describe("consecutive failures", () => {
  it("warn at the 6th and switch off at the 30th", () => {
    const { actions, count } = fail(30, fresh, 1_000);
    expect(
      actions.flatMap((action, index) => (action === "none" ? [] : [[index + 1, action]])),
    ).toStrictEqual([
      [6, "warn"],
      [30, "switch_off"],
    ]);
    expect(count).toMatchObject({ consecutiveFailures: 30, lastWarningAt: 1_000 });
  });

  it("return switch_off again for attempts in flight", () => {
    expect(fail(32, fresh).actions.slice(28)).toStrictEqual([
      "none",
      "switch_off",
      "switch_off",
      "switch_off",
    ]);
  });

  it("start again after an accepted attempt, and keep the last warning", () => {
    const { count } = fail(8, fresh, 500);
    const accepted = countAttempt(count, { accepted: true, now: 600 });
    expect(accepted).toStrictEqual({ consecutiveFailures: 0, lastWarningAt: 500, action: "none" });
  });

  it("warn at most once in 24 hours over several series of failures", () => {
    const warned = { consecutiveFailures: 0, lastWarningAt: 0 };
    expect(fail(6, warned, day - 1).actions).not.toContain("warn");
    expect(fail(6, warned, day).actions).toContain("warn");
  });

  it("warn after the clock was set back by a day", () => {
    expect(fail(6, { consecutiveFailures: 0, lastWarningAt: day }, 1).actions).not.toContain("warn");
    expect(fail(6, { consecutiveFailures: 0, lastWarningAt: 365 * day }).actions).toContain("warn");
  });

  it("warn about a continuing series a day after the last warning", () => {
    const { actions } = fail(10, { consecutiveFailures: 5, lastWarningAt: 0 }, day - 3_000, 1_000);
    expect(actions.indexOf("warn")).toBe(3);
    expect(actions.filter((action) => action === "warn")).toHaveLength(1);
  });

  it("warn again after a day of continuous failures", () => {
    const { actions } = fail(29, fresh, 0, day / 10);
    expect(actions.flatMap((action, index) => (action === "warn" ? [index + 1] : []))).toStrictEqual([
      6, 16, 26,
    ]);
  });

  it("never warn twice within a day", () => {
    const attempt = fc.record({ accepted: fc.boolean(), wait: fc.integer({ min: 0, max: day / 4 }) });
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 200 }), (attempts) => {
        let count = fresh;
        let now = 0;
        let lastWarning = Number.NEGATIVE_INFINITY;
        for (const { accepted, wait } of attempts) {
          now += wait;
          const counted = countAttempt(count, { accepted: accepted && wait % 7 === 0, now });
          count = counted;
          if (counted.action !== "warn") continue;
          expect(now - lastWarning).toBeGreaterThanOrEqual(day);
          lastWarning = now;
        }
      }),
    );
  });
});
