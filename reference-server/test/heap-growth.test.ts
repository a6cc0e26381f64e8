import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { expect, it, onTestFinished, vi } from "vitest";
import { letHeapGrowWhenBusy } from "../src/heap-settings.ts";

vi.mock("node:v8", () => ({ setFlagsFromString: vi.fn() }));

/** The factor by which it may grow after each look, where the event loop had work for these shares of the time between them. */
async function factorsAfter(shares: readonly number[]): Promise<string> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let active = 0;
  let idle = 0;
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation((now, before) => {
    if (now === undefined || before === undefined) return { active, idle, utilization: 0 };
    const passed = now.active + now.idle - before.active - before.idle;
    return { active, idle, utilization: (now.active - before.active) / passed };
  });
  const stopLooking = letHeapGrowWhenBusy();
  let factors = "";
  for (const share of shares) {
    active += share * 1_000;
    idle += (1 - share) * 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
    factors += vi.mocked(setFlagsFromString).mock.lastCall?.[0].split("=")[1] ?? "";
  }
  stopLooking();
  expect(vi.getTimerCount()).toBe(0);
  return factors;
}

it("the young generation grows from the third busy second in a row on, and no more once there is time to spare", async () => {
  expect(await factorsAfter([0.1, 0.5, 0.9, 0.9, 0.1, 0.6, 0.6, 0.6, 1, 0.5, 0.9])).toBe("11111112211");
});
