import { describe, expect, it } from "vitest";
import { createStillness } from "../src/scheduler/leases/stillness.ts";
import {
  isOrphan,
  leaseMs,
  registerWorker,
  unregisterWorker,
} from "../src/scheduler/leases/worker-identity.ts";

describe("another worker is known to be dead", () => {
  const worker = { id: "worker-1", host: "here", process: 100 };
  const running = new Set([100, 200]);
  const isProcessAlive = (process: number): boolean => running.has(process);

  it.each([
    ["its process is gone", { id: "worker-2", host: "here", process: 300 }, true],
    ["its process runs", { id: "worker-2", host: "here", process: 200 }, false],
    [
      "it runs elsewhere, under a number that is not used here",
      { id: "worker-2", host: "there", process: 300 },
      false,
    ],
    [
      "it had the number of this process, as in a container",
      { id: "worker-2", host: "here", process: 100 },
      true,
    ],
  ])("or not: %s", (_, other, isDead) => {
    expect(isOrphan(other, worker, isProcessAlive)).toBe(isDead);
  });

  it("but not while it is a second worker of this process", () => {
    const second = { id: "worker-2", host: "here", process: 100 };
    registerWorker(second);
    expect(isOrphan(second, worker, isProcessAlive)).toBe(false);
    unregisterWorker(second);
    expect(isOrphan(second, worker, isProcessAlive)).toBe(true);
  });
});

describe("whoever stops renewing is told by this process's own clock", () => {
  it("after the length of a lease, counted from the last change that was seen", () => {
    let now = 1_000;
    const stillness = createStillness({ now: () => now });
    expect(stillness.has("p00", "1")).toBe(false);
    now += leaseMs - 1;
    expect(stillness.has("p00", "1")).toBe(false);
    expect(stillness.has("p00", "2")).toBe(false);
    now += leaseMs - 1;
    expect(stillness.has("p00", "2")).toBe(false);
    now += 1;
    expect(stillness.has("p00", "2")).toBe(true);
    expect(stillness.has("p01", "2")).toBe(false);
  });

  it("though thousands of others came and went meanwhile, of which nothing stays", () => {
    let now = 1_000;
    const stillness = createStillness({ now: () => now });
    for (let number = 0; number < 2_000; number++) stillness.has(`worker-${number}`, "");
    now += leaseMs;
    expect(stillness.has("worker-0", "")).toBe(true);
    stillness.has("one more", "");
    expect(stillness.has("worker-0", "")).toBe(false);
  });
});
