import type { Check } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createRecorders } from "../src/scheduler/recording/recorders.ts";
import { createRecordingMoments } from "../src/scheduler/recording/recording-moments.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { createFinishedTurns } from "./support/finished-turns.ts";

/** The times, from now on, at which those who waited were called. */
function openMoments({ retryDelaysSeconds = [15] } = {}) {
  const clock = createFakeClock();
  const begunAt = clock.now();
  const moments = createRecordingMoments({ clock, retryDelaysSeconds });
  const called: [name: string, ms: number][] = [];
  const wait = (name: string) => moments.whenNext(() => called.push([name, clock.now() - begunAt]));
  return { clock, moments, called, wait };
}

it("after a quiet time the moment is now, and nobody has to wait", async () => {
  const { clock, moments, called, wait } = openMoments();
  expect(wait("first")).toBeUndefined();
  moments.begin();
  await clock.advance(25);
  expect(wait("second")).toBeUndefined();
  expect([called, clock.timers]).toEqual([[], 0]);
});

it("all who wait are called at the same moment, a pause after the one before, by one timer", async () => {
  const { clock, moments, called, wait } = openMoments();
  moments.begin();
  await clock.advance(3);
  wait("one");
  await clock.advance(8);
  wait("other");
  expect(clock.timers).toBe(1);
  await clock.advance(13);
  expect(called).toEqual([]);
  await clock.advance(1);
  expect(called).toEqual([
    ["one", 25],
    ["other", 25],
  ]);
  wait("third");
  await clock.advance(100);
  expect(called.slice(2)).toEqual([["third", 50]]);
  expect(clock.timers).toBe(0);
});

it("what is recorded at once takes along who waits, and the pause begins anew", async () => {
  const { clock, moments, called, wait } = openMoments();
  moments.begin();
  wait("one");
  await clock.advance(12);
  moments.begin();
  expect(called).toEqual([["one", 12]]);
  wait("other");
  await clock.advance(100);
  expect(called.slice(1)).toEqual([["other", 37]]);
});

it("beside thousands that are recorded at once there is a moment every five milliseconds, and no more", async () => {
  const { clock, moments, called, wait } = openMoments();
  for (let ms = 0; ms < 20; ms++) {
    moments.begin();
    wait("one");
    await clock.advance(1);
  }
  expect(new Set(called.map(([, ms]) => ms))).toEqual(new Set([5, 10, 15]));
});

it("a pause is no longer than a tenth of the shortest delay", async () => {
  const { clock, moments, called, wait } = openMoments({ retryDelaysSeconds: [15, 0.1] });
  moments.begin();
  wait("one");
  await clock.advance(100);
  expect(called).toEqual([["one", 10]]);
});

it("nobody waits longer where the clock is set back: by whoever asks, or whatever is recorded", async () => {
  let setBackMs = 0;
  const clock = createFakeClock();
  const moments = createRecordingMoments({
    clock: { ...clock, now: () => clock.now() - setBackMs },
    retryDelaysSeconds: [15],
  });
  moments.begin();
  setBackMs = 3_600_000;
  expect(moments.whenNext(() => {})).toBeUndefined();
  moments.begin();
  const called: number[] = [];
  const begunAt = clock.now();
  moments.whenNext(() => called.push(clock.now() - begunAt));
  await clock.advance(100);
  expect(called).toEqual([25]);
});

it("who waits no longer is not called, and the last of them leaves no timer", async () => {
  const { clock, moments, called, wait } = openMoments();
  moments.begin();
  const cancelOne = wait("one");
  const cancelOther = wait("other");
  cancelOne?.();
  expect(clock.timers).toBe(1);
  cancelOther?.();
  expect(clock.timers).toBe(0);
  await clock.advance(100);
  expect(called).toEqual([]);
});

it("the recorders of all partitions share them: a failure in one is recorded with what is accepted in another", async () => {
  const clock = createFakeClock();
  const turns = createFinishedTurns({ now: clock.now });
  const commits: string[] = [];
  const lease: Check = { key: ["p00", "lease"], value: "mine" };
  const recorders = createRecorders({
    store: {
      ...memoryStore(),
      async commit(partition) {
        commits.push(partition);
        return { ok: true };
      },
    },
    fence: () => lease,
    retryDelaysSeconds: [15],
    random: () => 0.5,
    clock,
    onRecorded: () => {},
    onLost: () => expect.fail("no lease is lost"),
    onNotice: () => {},
    onFault: (error) => expect.fail(String(error)),
  });
  recorders.add("p01", turns.failed());
  await clock.advance(0);
  expect(commits.splice(0)).toEqual(["p01"]);
  await clock.advance(1);
  for (const partition of ["p01", "p02", "p03"]) recorders.add(partition, turns.failed());
  await clock.advance(9);
  expect(commits).toEqual([]);
  recorders.add("p04", turns.accepted());
  await clock.advance(0);
  expect(commits.toSorted()).toEqual(["p01", "p02", "p03", "p04"]);
  await recorders.drained();
});
