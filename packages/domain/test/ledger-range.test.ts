import fc from "fast-check";
import { expect, it } from "vitest";
import { ledgerKeptMs, maximumLedgerSteps, toLedgerRange } from "../src/ledger-range.ts";

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
        // All rows of the first step are kept. It has `since`, unless a part of that day expired after 31 days.
        const { seconds, keptSeconds } = used.rows;
        const isWhole = used.since + (seconds + keptSeconds) * 1_000 > now;
        const isFirstDay = age > ledgerKeptMs - stepMs && seconds === 21_600;
        expect(isWhole || (isFirstDay && used.until - used.since === stepMs)).toBe(true);
        expect(used.since).toBeGreaterThan(since - stepMs);
        expect(used.since).toBeLessThanOrEqual(isFirstDay ? since + stepMs : since);
        expect(used.until).toBeGreaterThanOrEqual(until);
        expect(used.until).toBeLessThan(until + stepMs);
        expect((used.until - used.since) / stepMs).toBeLessThanOrEqual(maximumLedgerSteps);
        expect(used.stepSeconds % used.rows.seconds).toBe(0);
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

it("the first day of 31 days is a whole day", () => {
  const since = now - ledgerKeptMs;
  const used = toLedgerRange({ since, until: now, stepSeconds: 86_400 }, now);
  // The first six hours of 30 October have expired.
  expect(new Date(used.since).toISOString()).toBe("2026-10-31T00:00:00.000Z");
  expect(toLedgerRange({ since, until: since + 1, stepSeconds: 86_400 }, now).since).toBeLessThan(since);
});
