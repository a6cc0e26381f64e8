import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { expect, it, onTestFinished, vi } from "vitest";
import { letHeapGrowWhenBusy } from "../src/heap-settings.ts";

vi.mock("node:v8", () => ({ setFlagsFromString: vi.fn(), getHeapSpaceStatistics: vi.fn() }));

/**
 * The factor by which it may grow so long after each look, where the event loop had work for these shares of the time between them, and the young
 * generation has room for so many megabytes.
 */
async function factorsAfter(
  shares: readonly number[],
  { megabytes = 4, afterLookMs = 0 } = {},
): Promise<string> {
  vi.useFakeTimers();
  const young = { space_name: "new_space", space_size: 0, space_used_size: 300_000, physical_space_size: 0 };
  vi.mocked(getHeapSpaceStatistics).mockReturnValue([
    { ...young, space_name: "old_space", space_available_size: 0 },
    { ...young, space_available_size: megabytes * 1e6 - young.space_used_size },
  ]);
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
    await vi.advanceTimersByTimeAsync(factors === "" ? 1_000 + afterLookMs : 1_000);
    factors += vi.mocked(setFlagsFromString).mock.lastCall?.[0].split("=")[1] ?? "";
  }
  stopLooking();
  expect(vi.getTimerCount()).toBe(0);
  return factors;
}

it("the young generation grows from the third busy second in a row on, and no more once there is time to spare", async () => {
  expect(await factorsAfter([0.1, 0.5, 0.9, 0.9, 0.1, 0.6, 0.6, 0.6, 1, 0.5, 0.9])).toBe("11111112211");
});

it("with some work it may double for a tenth of a second, as long as it is smaller than four megabytes", async () => {
  expect(await factorsAfter([0.05, 0.2, 0.1, 0.2], { megabytes: 1 })).toBe("1212");
  expect(await factorsAfter([0.2, 0.2], { megabytes: 2 })).toBe("22");
  expect(await factorsAfter([0.2, 0.2], { megabytes: 4 })).toBe("11");
  expect(await factorsAfter([0.2, 0.2], { megabytes: 2, afterLookMs: 100 })).toBe("11");
  // Busy for seconds it may grow for as long as that lasts.
  expect(await factorsAfter([0.9, 0.9, 0.9, 0.9], { megabytes: 2, afterLookMs: 100 })).toBe("1122");
});
