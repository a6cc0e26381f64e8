import { runStoreContract } from "@hookwright/storage/contract";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, onTestFinished, vi } from "vitest";

await runStoreContract(({ now }) => memoryStore({ now }), { modelRuns: 300 });

it("a store that is not closed has no timer while nobody uses it", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = memoryStore();
  const key = ["p00", "code"] as const;
  await store.commit("p00", { mutations: [{ type: "set", key, value: "1", expiresAt: Date.now() + 5_000 }] });
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
  await store.get(key);
  expect(vi.getTimerCount()).toBe(1);
});
