import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createFairQueue } from "../src/limits/fair-queue.ts";
import type { FairQueueOptions } from "../src/limits/fair-queue.ts";

/** A queue whose tasks end when the test calls `end`. The name of a task begins with its party: `a1.2` is of `a` and then `1`. */
function openQueue(options: Pick<FairQueueOptions, "levels" | "maximumWaitMs">) {
  const queue = createFairQueue({ ...options, toError: (reason) => new Error(reason) });
  const started: string[] = [];
  const refused: string[] = [];
  const running = new Map<string, () => void>();
  async function end(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      running.get(name)?.();
      running.delete(name);
      await settle();
    }
  }
  return {
    started,
    refused,
    async add(names: readonly string[], signal?: AbortSignal): Promise<void> {
      for (const name of names) {
        const task = async (): Promise<void> => {
          started.push(name);
          await new Promise<void>((resolve) => running.set(name, resolve));
        };
        const party = [...(name.split(".")[0] ?? "")].slice(0, options.levels.length - 1);
        queue.run(party, task, signal && (() => signal)).catch((error: Error) => {
          refused.push(`${name} ${error.message}`);
        });
        await settle();
      }
    },
    end,
    /** Ends the running tasks, and every one after them, in the order of their start. */
    async endAll(): Promise<void> {
      for (let next = running.keys().next(); !next.done; next = running.keys().next()) await end(next.value);
    },
  };
}

/** A place is free in the turn after a task has ended. */
async function settle(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

afterEach(() => void vi.useRealTimers());

describe("a queue with one level", () => {
  it("runs a limited number of tasks at once, and the others in order", async () => {
    const { add, end, endAll, started } = openQueue({ levels: [{ running: 2 }] });
    await add(["1", "2", "3", "4"]);
    expect(started).toEqual(["1", "2"]);
    await end("2");
    expect(started).toEqual(["1", "2", "3"]);
    await endAll();
    expect(started).toEqual(["1", "2", "3", "4"]);
  });

  it("returns what the task returns, and continues after one that fails", async () => {
    const queue = createFairQueue({ levels: [{ running: 1 }] });
    const failing = queue.run([], () => Promise.reject(new Error("no")));
    const next = queue.run([], async () => 7);
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe(7);
    expect(await queue.run([], async () => 8)).toBe(8);
  });

  it("runs no more tasks in one turn of the event loop than at once", async () => {
    const queue = createFairQueue({ levels: [{ running: 2 }] });
    let ran = 0;
    const all = Array.from({ length: 6 }, () => queue.run([], async () => void (ran += 1)));
    await Promise.all(all.slice(0, 2));
    expect(ran).toBe(2);
    await Promise.all(all);
    expect(ran).toBe(6);
  });

  it("refuses the newest task when it is full, and accepts one again later", async () => {
    const { add, end, endAll, started, refused } = openQueue({ levels: [{ running: 1, waiting: 1 }] });
    await add(["1", "2", "3"]);
    expect(refused).toEqual(["3 full"]);
    await end("1");
    await add(["4"]);
    await endAll();
    expect(started).toEqual(["1", "2", "4"]);
  });
});

describe("parties", () => {
  it("run at most as many tasks as a party may, while others run", async () => {
    const { add, end, started } = openQueue({ levels: [{ running: 4 }, { running: 2 }] });
    await add(["a.1", "a.2", "a.3", "b.1", "b.2", "c.1"]);
    expect(started).toEqual(["a.1", "a.2", "b.1", "b.2"]);
    await end("b.1");
    // `a` was first, but it runs two.
    expect(started.at(-1)).toBe("c.1");
    await end("a.1");
    expect(started.at(-1)).toBe("a.3");
  });

  it("take turns, and so do the names of a party", async () => {
    const { add, endAll, started } = openQueue({ levels: [{ running: 1 }, {}, {}] });
    await add(["a1.1", "a1.2", "a1.3", "a2.1", "b1.1", "b1.2", "c1.1"]);
    await endAll();
    expect(started).toEqual(["a1.1", "a1.2", "b1.1", "c1.1", "a2.1", "b1.2", "a1.3"]);
  });

  it("that have few waiting are never refused in favour of one that has many", async () => {
    const { add, endAll, started, refused } = openQueue({ levels: [{ running: 1, waiting: 4 }, {}] });
    await add(["a.0", "a.1", "a.2", "a.3", "a.4"]);
    await add(["b.1", "b.2", "b.3", "c.1"]);
    // Until `a` and `b` have two each, `a` makes place. Then `b` has no less than `a`.
    expect(refused).toEqual(["a.4 full", "a.3 full", "b.3 full", "b.2 full"]);
    await endAll();
    expect(started).toEqual(["a.0", "a.1", "b.1", "c.1", "a.2"]);
  });

  it("that are full make place among their own names", async () => {
    const { add, refused } = openQueue({ levels: [{ running: 1 }, { waiting: 3 }, {}] });
    await add(["a1.0", "a1.1", "a1.2", "a1.3", "b1.1", "a2.1", "a2.2", "a1.4"]);
    expect(refused).toEqual(["a1.3 full", "a2.2 full", "a1.4 full"]);
  });

  it("leave nothing behind: after a flood a full queue is empty again", async () => {
    const { add, endAll, started, refused } = openQueue({
      levels: [{ running: 3, waiting: 8 }, { running: 2, waiting: 4 }, {}],
    });
    for (let number = 0; number < 500; number++)
      await add([`${"abcdefgh"[number % 8]}${number % 3}.${number}`]);
    expect(started.length + refused.length).toBe(500 - 8);
    await endAll();
    expect(started.length + refused.length).toBe(500);
    const before = started.length;
    await add(["x1.1", "x1.2", "y1.1"]);
    expect(started.slice(before)).toEqual(["x1.1", "x1.2", "y1.1"]);
  });
});

describe("a task that waits", () => {
  it("is refused after the longest wait", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { add, end, started, refused } = openQueue({ levels: [{ running: 1 }], maximumWaitMs: 10_000 });
    await add(["1", "2"]);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(refused).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toEqual(["2 late"]);
    await add(["3"]);
    await end("1");
    expect(started).toEqual(["1", "3"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves when its signal is aborted, before and while it waits", async () => {
    const { add, end, started, refused } = openQueue({ levels: [{ running: 1, waiting: 1 }] });
    const controller = new AbortController();
    await add(["1"]);
    await add(["2"], controller.signal);
    controller.abort();
    await settle();
    await add(["3"], controller.signal);
    expect(refused).toEqual(["2 aborted", "3 aborted"]);
    await add(["4"]);
    await end("1");
    expect(started).toEqual(["1", "4"]);
  });
});
