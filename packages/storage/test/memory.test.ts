import { runStoreContract } from "@hookwright/storage/contract";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, onTestFinished, vi } from "vitest";

await runStoreContract(({ now }) => memoryStore({ now }), { modelRuns: 300 });

it("a store that is not closed has no timer while nobody uses it", async () => {
  vi.useFakeTimers();
  // A spy on the fake timer breaks the timers of later files of this process.
  const fake = globalThis.setTimeout;
  let sweeps = 0;
  // Other files of this process may have timers of their own: none has this interval.
  const sweepIntervalMs = 1_234;
  globalThis.setTimeout = Object.assign((...args: Parameters<typeof fake>) => {
    if (args[1] === sweepIntervalMs) sweeps += 1;
    return fake(...args);
  }, fake);
  onTestFinished(() => {
    globalThis.setTimeout = fake;
    vi.useRealTimers();
  });
  const store = memoryStore({ sweepIntervalMs });
  const key = ["p00", "code"] as const;
  await store.commit("p00", { mutations: [{ type: "set", key, value: "1", expiresAt: Date.now() + 5_000 }] });
  expect(sweeps).toBe(1);
  await vi.advanceTimersByTimeAsync(sweepIntervalMs);
  expect(sweeps).toBe(1);
  await store.get(key);
  expect(sweeps).toBe(2);
});
