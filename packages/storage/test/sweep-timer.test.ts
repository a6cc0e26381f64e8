import { expect, it, onTestFinished, vi } from "vitest";
import { createSweepTimer } from "../src/commit/sweep-timer.ts";

it("an interval without end is a sweep that never comes", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const sweep = vi.fn(async () => "later" as const);
  const timer = createSweepTimer({ sweep, intervalMs: Number.POSITIVE_INFINITY });
  timer.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sweep).not.toHaveBeenCalled();
  timer.stop();
});
