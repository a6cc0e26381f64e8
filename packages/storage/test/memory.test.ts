import { runStoreContract } from "@hookwright/storage/contract";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, onTestFinished, vi } from "vitest";

await runStoreContract(({ now }) => memoryStore({ now }), { modelRuns: 300 });

it("a store that is not closed has no timer while nobody uses it", async () => {
  vi.useFakeTimers();
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => {
    timers.mockRestore();
    vi.useRealTimers();
  });
  // Other files of this process may have timers of their own: none has this interval.
  const sweepIntervalMs = 1_234;
  const countSweeps = (): number => timers.mock.calls.filter(([, delay]) => delay === sweepIntervalMs).length;
  const store = memoryStore({ sweepIntervalMs });
  const key = ["p00", "code"] as const;
  await store.commit("p00", { mutations: [{ type: "set", key, value: "1", expiresAt: Date.now() + 5_000 }] });
  expect(countSweeps()).toBe(1);
  await vi.advanceTimersByTimeAsync(sweepIntervalMs);
  expect(countSweeps()).toBe(1);
  await store.get(key);
  expect(countSweeps()).toBe(2);
});
