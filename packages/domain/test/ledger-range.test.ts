import fc from "fast-check";
import { expect, it } from "vitest";
import { ledgerKeptMs, ledgerSteps, maximumLedgerSteps, toLedgerRange } from "../src/ledger-range.ts";

const now = Date.parse("2026-11-30T10:07:31Z");

it("a range is moved to whole steps that are kept for its age, and has at most a thousand of them", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: ledgerKeptMs }),
      fc.integer({ min: 1, max: ledgerKeptMs }),
      fc.option(fc.integer({ min: 1, max: 1_440 }), { nil: undefined }),
      (age, length, minutes) => {
        const [since, until] = [now - age, Math.min(now + 1, now - age + length)];
        const asked = minutes === undefined ? undefined : minutes * 60;
        const used = toLedgerRange({ since, until, stepSeconds: asked }, now);
        const stepMs = used.stepSeconds * 1_000;
        expect(used.stepSeconds).toBeGreaterThanOrEqual(asked ?? 60);
        expect([used.since % stepMs, used.until % stepMs]).toEqual([0, 0]);
        expect(used.since).toBeLessThanOrEqual(since);
        expect(used.since).toBeGreaterThan(since - stepMs);
        expect(used.until).toBeGreaterThanOrEqual(until);
        expect(used.until).toBeLessThan(until + stepMs);
        expect((used.until - used.since) / stepMs).toBeLessThanOrEqual(maximumLedgerSteps);
        const kept = ledgerSteps.filter(({ keptSeconds }) => age <= keptSeconds * 1_000);
        expect(kept.some(({ seconds }) => used.stepSeconds % seconds === 0)).toBe(true);
      },
    ),
  );
});

it("without a step, a chart of any period has at most 200 steps and at least 24", () => {
  const hours = [1, 2, 6, 24, 48, 7 * 24, 31 * 24];
  const steps = hours.map((each) => {
    const { since, until, stepSeconds } = toLedgerRange({ since: now - each * 3_600_000, until: now }, now);
    return [stepSeconds, (until - since) / stepSeconds / 1_000];
  });
  expect(steps).toEqual([
    [60, 61],
    [60, 121],
    [900, 25],
    [900, 97],
    [900, 193],
    [3_600, 169],
    [21_600, 125],
  ]);
});
