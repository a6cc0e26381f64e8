import { setImmediate } from "node:timers/promises";
import type { Key, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it, vi } from "vitest";
import { commitUntilDone } from "../src/store/commit-until-done.ts";

const key: Key = ["p00", "counter"];

/** A store with latency: parallel callers read the same value, and one of their commits wins. */
function openStoreWithLatency() {
  const memory = memoryStore();
  let commits = 0;
  const store: Store = {
    ...memory,
    async get(requested) {
      await setImmediate();
      return memory.get(requested);
    },
    async commit(partition, commit) {
      commits += 1;
      await setImmediate();
      return memory.commit(partition, commit);
    },
  };
  return { memory, store, commits: () => commits };
}

/** Increments a counter with a read and a checked write. */
function increment(store: Store, counted: Key = key): Promise<number> {
  return commitUntilDone(store, "p00", async () => {
    const value = await store.get(counted);
    const next = Number(value ?? 0) + 1;
    return {
      commit: {
        checks: [{ key: counted, value }],
        mutations: [{ type: "set", key: counted, value: String(next) }],
      },
      result: next,
    };
  });
}

describe("a commit with conflicts", () => {
  it("succeeds after one retry with hundreds of parallel changes of the same key", async () => {
    const { store, commits } = openStoreWithLatency();
    const counts = await Promise.all(Array.from({ length: 300 }, () => increment(store)));
    expect(counts.toSorted((one, other) => one - other)).toEqual(counts.map((_, index) => index + 1));
    // One call needs one commit, all others need two.
    expect(commits()).toBe(599);
  });

  it("does not wait for changes of other keys", async () => {
    const { store, memory } = openStoreWithLatency();
    const other: Key = ["p00", "other"];
    const many = Promise.all(Array.from({ length: 300 }, () => increment(store)));
    await Promise.all([increment(store, other), increment(store, other)]);
    expect(Number(await memory.get(key))).toBeLessThan(20);
    await many;
  });

  it("continues after another change has failed", async () => {
    const { store } = openStoreWithLatency();
    const failing = commitUntilDone(store, "p00", async () => {
      if ((await store.get(key)) !== undefined) throw new Error("no more");
      return { commit: { checks: [{ key, value: "never" }], mutations: [] }, result: undefined };
    });
    const counts = Promise.all([increment(store), increment(store), increment(store)]);
    await expect(failing).rejects.toThrow("no more");
    expect((await counts).toSorted()).toEqual([1, 2, 3]);
  });

  it("fails with 503 after ten seconds in the queue", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    try {
      const { store, memory } = openStoreWithLatency();
      const slow: Store = {
        ...store,
        get: async (requested) => {
          const value = await memory.get(requested);
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          return value;
        },
      };
      const all = Promise.allSettled(Array.from({ length: 30 }, () => increment(slow)));
      for (let second = 0; second < 40; second++) {
        await vi.advanceTimersByTimeAsync(1_000);
        await setImmediate();
        await setImmediate();
      }
      const outcomes = await all;
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(
        Number(await memory.get(key)),
      );
      expect(Number(await memory.get(key))).toBeLessThan(15);
      expect(outcomes.at(-1)).toMatchObject({ reason: { code: "internal_error", status: 503 } });
    } finally {
      vi.useRealTimers();
    }
  });

  it("fails with 503 and a retry time after fifty conflicts", async () => {
    const { store } = openStoreWithLatency();
    const conflicting: Store = { ...store, commit: async () => ({ ok: false, failed: key }) };
    let attempts = 0;
    const failing = commitUntilDone(conflicting, "p00", async () => {
      attempts += 1;
      return { commit: { mutations: [] }, result: undefined };
    });
    await expect(failing).rejects.toMatchObject({
      code: "internal_error",
      status: 503,
      retryAfterSeconds: 1,
    });
    expect(attempts).toBe(50);
  });
});
