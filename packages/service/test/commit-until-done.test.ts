import { setImmediate } from "node:timers/promises";
import type { Key, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it, vi } from "vitest";
import { commitUntilDone } from "../src/store/commit-until-done.ts";

const key: Key = ["p00", "counter"];

/** A store far away: whoever asks in one turn of the event loop reads the same, and of their commits one is the first. */
function openDistant() {
  const near = memoryStore();
  let commits = 0;
  const store: Store = {
    ...near,
    async get(asked) {
      await setImmediate();
      return near.get(asked);
    },
    async commit(partition, commit) {
      commits += 1;
      await setImmediate();
      return near.commit(partition, commit);
    },
  };
  return { near, store, commits: () => commits };
}

/** Adds one by reading and writing, as somebody would who has more to decide. */
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

describe("a commit that others get ahead of", () => {
  it("happens all the same, with hundreds who want the same key", async () => {
    const { store, commits } = openDistant();
    const counts = await Promise.all(Array.from({ length: 300 }, () => increment(store)));
    expect(counts.toSorted((one, other) => one - other)).toEqual(counts.map((_, index) => index + 1));
    // The first of them once, all others twice.
    expect(commits()).toBe(599);
  });

  it("does not wait for those who want another key", async () => {
    const { store, near } = openDistant();
    const other: Key = ["p00", "other"];
    const many = Promise.all(Array.from({ length: 300 }, () => increment(store)));
    await Promise.all([increment(store, other), increment(store, other)]);
    expect(Number(await near.get(key))).toBeLessThan(20);
    await many;
  });

  it("waits for nobody who failed", async () => {
    const { store } = openDistant();
    const failing = commitUntilDone(store, "p00", async () => {
      if ((await store.get(key)) !== undefined) throw new Error("no more");
      return { commit: { checks: [{ key, value: "never" }], mutations: [] }, result: undefined };
    });
    const counts = Promise.all([increment(store), increment(store), increment(store)]);
    await expect(failing).rejects.toThrow("no more");
    expect((await counts).toSorted()).toEqual([1, 2, 3]);
  });

  it("is given up after ten seconds in line, so that a slow store gathers no crowd", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    try {
      const { store, near } = openDistant();
      const slow: Store = {
        ...store,
        get: async (asked) => {
          const value = await near.get(asked);
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
        Number(await near.get(key)),
      );
      expect(Number(await near.get(key))).toBeLessThan(15);
      expect(outcomes.at(-1)).toMatchObject({ reason: { code: "internal_error", status: 503 } });
    } finally {
      vi.useRealTimers();
    }
  });

  it("is given up after fifty, with an answer that says when to come again", async () => {
    const { store } = openDistant();
    const conflict: Store = { ...store, commit: async () => ({ ok: false, failed: key }) };
    let rounds = 0;
    const hopeless = commitUntilDone(conflict, "p00", async () => {
      rounds += 1;
      return { commit: { mutations: [] }, result: undefined };
    });
    await expect(hopeless).rejects.toMatchObject({
      code: "internal_error",
      status: 503,
      retryAfterSeconds: 1,
    });
    expect(rounds).toBe(50);
  });
});
