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

it("a window that was full is followed at once, another after the interval, and none until it is started again or once it is stopped", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers: PromiseWithResolvers<"more" | "later" | "stop">[] = [];
  const sweep = () => {
    const answer = Promise.withResolvers<"more" | "later" | "stop">();
    answers.push(answer);
    return answer.promise;
  };
  const timer = createSweepTimer({ sweep, intervalMs: 1_000 });
  /** How many sweeps there have been after so much more time, and an answer to the last one. */
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
  // One at a time, however long it takes.
  expect(await after(10_000, "stop")).toBe(3);
  expect(await after(10_000)).toBe(3);
  timer.start();
  expect(await after(1_000)).toBe(4);
  timer.stop();
  expect(await after(0, "more")).toBe(4);
  expect(await after(10_000)).toBe(4);
});
