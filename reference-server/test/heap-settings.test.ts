import { spawnSync } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { performance } from "node:perf_hooks";
import v8 from "node:v8";
import { expect, it, onTestFinished, vi } from "vitest";
import { letHeapGrowWhenBusy } from "../src/heap-settings.ts";

/**
 * The growth factor after each measurement, for these utilizations of the event loop and this capacity of the young
 * generation.
 */
async function factorsAfter(
  shares: readonly number[],
  { megabytes = 4, afterMeasurementMs = 0 } = {},
): Promise<string> {
  vi.useFakeTimers();
  const young = { space_name: "new_space", space_size: 0, space_used_size: 300_000, physical_space_size: 0 };
  const setFlags = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  vi.spyOn(v8, "getHeapSpaceStatistics").mockReturnValue([
    { ...young, space_name: "old_space", space_available_size: 0 },
    { ...young, space_available_size: megabytes * 1e6 - young.space_used_size },
  ]);
  syncBuiltinESMExports();
  // Other test files share this process.
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  let active = 0;
  let idle = 0;
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation((now, before) => {
    if (now === undefined || before === undefined) return { active, idle, utilization: 0 };
    const passed = now.active + now.idle - before.active - before.idle;
    return { active, idle, utilization: (now.active - before.active) / passed };
  });
  const stopMeasuring = letHeapGrowWhenBusy();
  let factors = "";
  for (const share of shares) {
    active += share * 1_000;
    idle += (1 - share) * 1_000;
    await vi.advanceTimersByTimeAsync(factors === "" ? 1_000 + afterMeasurementMs : 1_000);
    factors += setFlags.mock.lastCall?.[0].split("=")[1] ?? "";
  }
  stopMeasuring();
  const { length } = setFlags.mock.calls;
  active += 3_000;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(setFlags.mock.calls).toHaveLength(length);
  return factors;
}

it("the young generation may double for 100 ms of each second while it is too small for the load", async () => {
  expect(await factorsAfter([0.05, 0.2, 0.1, 0.2, 0.5, 0.6], { megabytes: 1 })).toBe("121222");
  expect(await factorsAfter([0.2, 0.6], { megabytes: 2 })).toBe("22");
  expect(await factorsAfter([0.2, 0.6], { megabytes: 4 })).toBe("12");
  expect(await factorsAfter([0.2, 0.6, 1], { megabytes: 8 })).toBe("122");
  expect(await factorsAfter([0.2, 0.6, 1], { megabytes: 16 })).toBe("111");
  expect(await factorsAfter([0.6, 0.6], { megabytes: 2, afterMeasurementMs: 100 })).toBe("11");
});

/**
 * The capacity of the young generation in MB, before and after it may grow, in a program that keeps its objects.
 * Measured right after a collection, because marking uses additional pages.
 */
const program = `
import { getHeapSpaceStatistics } from "node:v8";
import { keepHeapSmall, letHeapGrow } from ${JSON.stringify(new URL("../src/heap-settings.ts", import.meta.url).href)};

keepHeapSmall();
letHeapGrow();
keepHeapSmall();
const kept = [];
const make = () => {
  for (let number = 0; number < 400_000; number++) kept.push({ number, text: String(number) });
  gc({ type: "minor" });
  const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
  return (young.space_used_size + young.space_available_size) / 1e6;
};
const small = make();
letHeapGrow();
console.log(JSON.stringify({ small, grown: make() }));
`;

it("start-up code does not make the young generation grow, and later objects do", () => {
  const args = ["--expose-gc", "--input-type=module", "--eval", program];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const { small, grown } = JSON.parse(stdout);
  expect(small).toBeLessThan(2);
  expect(grown).toBeGreaterThan(4 * small);
});
