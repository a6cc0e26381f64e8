import { expect, it, onTestFinished, vi } from "vitest";
import { createSweepTimer } from "../src/commit/sweep-timer.ts";

it("an infinite interval disables sweeps", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const sweep = vi.fn(async () => "later" as const);
  const timer = createSweepTimer({ sweep, intervalMs: Number.POSITIVE_INFINITY });
  timer.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sweep).not.toHaveBeenCalled();
  timer.stop();
});

it("the next sweep follows at once after a full window, else after the interval, and never after a stop", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers: PromiseWithResolvers<"more" | "later" | "stop">[] = [];
  const sweep = () => {
    const answer = Promise.withResolvers<"more" | "later" | "stop">();
    answers.push(answer);
    return answer.promise;
  };
  const timer = createSweepTimer({ sweep, intervalMs: 1_000 });
  /** Advances the time, returns the number of sweeps, and completes the last one. */
  const after = async (elapsedMs: number, answer?: "more" | "later" | "stop"): Promise<number> => {
    await vi.advanceTimersByTimeAsync(elapsedMs);
    if (answer !== undefined) answers.at(-1)?.resolve(answer);
    return answers.length;
  };
  timer.start();
  expect(await after(999)).toBe(0);
  expect(await after(1, "more")).toBe(1);
  expect(await after(1, "later")).toBe(2);
  expect(await after(999)).toBe(2);
  expect(await after(1)).toBe(3);
  timer.start();
  // Only one sweep runs at a time.
  expect(await after(10_000, "stop")).toBe(3);
  expect(await after(10_000)).toBe(3);
  timer.start();
  expect(await after(1_000)).toBe(4);
  timer.stop();
  expect(await after(0, "more")).toBe(4);
  expect(await after(10_000)).toBe(4);
});
