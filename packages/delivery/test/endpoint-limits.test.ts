import { expect, it } from "vitest";
import { EndpointLimits } from "../src/sending/endpoint-limits.ts";

const create = (maximumBackoffMs = 30_000, random = () => 0.5) =>
  new EndpointLimits({ maximumBackoffMs, random });

/** Attempts one after the other: each ends at time 0, and the next is reported as started later. */
function fail(limits: ReturnType<typeof create>, times: number): void {
  for (let time = 0; time < times; time++) limits.onResult(false, { startedAt: 1, endedAt: 0 });
}

function succeed(limits: ReturnType<typeof create>): void {
  limits.onResult(true, { startedAt: 0, endedAt: 0 });
}

it("starts with a limit of eight, adds one for each success, and halves it at a failure", () => {
  const limits = create();
  expect(limits.limit).toBe(8);
  succeed(limits);
  expect(limits.limit).toBe(9);
  for (let success = 0; success < 100; success++) succeed(limits);
  expect(limits.limit).toBe(64);
  fail(limits, 1);
  expect(limits.limit).toBe(32);
  fail(limits, 5);
  expect(limits.limit).toBe(8);
});

it.each([
  [9, 0],
  [10, 100],
  [11, 200],
  [12, 400],
  [13, 800],
  [14, 1_600],
  [15, 3_200],
  [16, 6_400],
  [17, 12_800],
  [18, 25_600],
  [19, 30_000],
  [29, 30_000],
  [1_000, 30_000],
])("after %i failures in a row, the next attempt starts %i ms later", (failures, backoffMs) => {
  const limits = create();
  fail(limits, failures);
  expect(limits.backoffUntil).toBe(backoffMs);
  expect(limits.limit).toBe(backoffMs > 0 ? 1 : 8);
});

it("has a jitter of ten per cent, and never waits longer than the maximum", () => {
  for (const [random, expected] of [
    [0, 90],
    [1, 110],
  ] as const) {
    const limits = create(30_000, () => random);
    fail(limits, 10);
    expect(limits.backoffUntil).toBe(expected);
    fail(limits, 20);
    expect(limits.backoffUntil).toBeLessThanOrEqual(30_000);
  }
});

it("does not count failures of attempts that were in flight when the back-off began", () => {
  const limits = create();
  const counted = Array.from({ length: 64 }, (_, index) =>
    limits.onResult(false, { startedAt: 0, endedAt: 50 + index }),
  );
  expect(counted.filter(Boolean)).toHaveLength(10);
  expect([limits.failures, limits.backoffUntil]).toEqual([10, 59 + 100]);
  expect(limits.onResult(false, { startedAt: 159, endedAt: 160 })).toBe(true);
});

it("counts every failure if there is no back-off", () => {
  const limits = create(0);
  for (let failure = 0; failure < 64; failure++)
    expect(limits.onResult(false, { startedAt: 0, endedAt: 50 + failure })).toBe(true);
});

it("shortens a recorded back-off that ends later than the maximum allows", () => {
  const limits = create();
  limits.restore(12, 86_400_000, 1_000);
  expect(limits.backoffUntil).toBe(31_000);
});

it("continues from the recorded failures after a restart", () => {
  const limits = create();
  limits.restore(12, 400, 0);
  expect([limits.limit, limits.backoffUntil]).toEqual([1, 400]);
});

it("has no back-off if the maximum is 0", () => {
  const limits = create(0);
  fail(limits, 100);
  expect([limits.limit, limits.backoffUntil]).toEqual([8, 0]);
});
