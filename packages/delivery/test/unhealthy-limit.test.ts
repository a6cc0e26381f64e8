import { expect, it } from "vitest";
import { createUnhealthyLimit } from "../src/sending/unhealthy-limit.ts";

function afterTicks(ticks: number, delayMs: number, limit = createUnhealthyLimit(2_048), storeDelayMs = 0) {
  for (let tick = 0; tick < ticks; tick++) limit.onTick({ delayMs, storeDelayMs, inFlight: limit.limit });
  return limit;
}

it("starts with 32 attempts and grows by one in each tick in which it is used up", () => {
  expect(afterTicks(0, 0).limit).toBe(32);
  expect(afterTicks(100, 2).limit).toBe(132);
  expect(afterTicks(10_000, 0).limit).toBe(2_048);
});

it("does not grow while it is not used up", () => {
  const limit = createUnhealthyLimit(2_048);
  limit.onTick({ delayMs: 0, storeDelayMs: 0, inFlight: 31 });
  expect(limit.limit).toBe(32);
});

it("is halved by a tick that starts late, and keeps 32 attempts in a process that is always busy", () => {
  const limit = afterTicks(1_000, 0);
  expect(afterTicks(1, 3, limit).limit).toBe(516);
  expect(afterTicks(100, 3, limit).limit).toBe(32);
});

it("is halved by a tick while a result has waited long for the store, and keeps 32 attempts", () => {
  const limit = afterTicks(1_000, 0);
  expect(afterTicks(1, 0, limit, 50).limit).toBe(1_033);
  expect(afterTicks(1, 0, limit, 51).limit).toBe(516);
  expect(afterTicks(100, 0, limit, 500).limit).toBe(32);
});

it("never exceeds the share of a small pool", () => {
  const limit = createUnhealthyLimit(4);
  expect(afterTicks(100, 3, limit).limit).toBe(4);
  expect(afterTicks(100, 0, limit).limit).toBe(4);
});
