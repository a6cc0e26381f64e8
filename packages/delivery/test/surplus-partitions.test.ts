import type { Check } from "@hookwright/storage";
import { expect, it } from "vitest";
import { createSurplusPartitions } from "../src/scheduler/partitions/surplus-partitions.ts";
import { createUnderWay } from "../src/scheduler/turns/under-way.ts";

/** Two partitions, of which one is too many; what was answered in it is not durable until `finishRecording`, the first asked for first. */
function holdTwo() {
  const fences = new Map<string, Check>();
  const win = (partition: string, holder: string): void =>
    void fences.set(partition, { key: [partition, "lease"], value: holder });
  win("p01", "first");
  win("p02", "first");
  const recordings: (() => void)[] = [];
  const underWay = createUnderWay();
  const given: string[] = [];
  const left: string[] = [];
  const surplus = createSurplusPartitions({
    leases: {
      surplus: () => Math.max(0, fences.size - 1),
      held: () => [...fences.keys()],
      fence: (partition) => fences.get(partition),
      async giveUp(partition) {
        fences.delete(partition);
        given.push(partition);
      },
    },
    work: {
      sending: underWay.countIn,
      ended: underWay.endedIn,
      recorded: () => new Promise((resolve) => void recordings.push(resolve)),
    },
    onLeft: (partition) => left.push(partition),
    onFault: (error) => expect.fail(String(error)),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    surplus,
    given,
    left,
    win,
    lose: (partition: string) => fences.delete(partition),
    underWay,
    async finishRecording() {
      await settle();
      recordings.shift()?.();
      await settle();
    },
  };
}

it("a partition too many goes once what was answered in it is recorded", async () => {
  const { surplus, given, left, finishRecording } = holdTwo();
  surplus.giveUp();
  surplus.giveUp();
  expect([surplus.isLeaving("p01"), surplus.isLeaving("p02"), given]).toEqual([true, false, []]);
  await finishRecording();
  expect([given, left]).toEqual([["p01"], ["p01"]]);
  expect(surplus.isLeaving("p01")).toBe(false);
});

it("the one in which the least is under way goes, and not before the last of that has ended", async () => {
  const { surplus, given, underWay, finishRecording } = holdTwo();
  for (const partition of ["p01", "p01", "p02"]) underWay.begin(partition);
  surplus.giveUp();
  expect([surplus.isLeaving("p01"), surplus.isLeaving("p02")]).toEqual([false, true]);
  await finishRecording();
  expect(given).toEqual([]);
  underWay.end("p02");
  await finishRecording();
  expect(given).toEqual(["p02"]);
});

it("one in which nothing was ever begun goes before all others", async () => {
  const { surplus, given, underWay, finishRecording } = holdTwo();
  underWay.begin("p01");
  surplus.giveUp();
  await finishRecording();
  expect(given).toEqual(["p02"]);
});

it("a partition that is lost and won back while it was to go is held anew, and stays", async () => {
  const { surplus, given, left, win, lose, finishRecording } = holdTwo();
  surplus.giveUp();
  lose("p01");
  win("p01", "second");
  expect(surplus.isLeaving("p01")).toBe(false);
  await finishRecording();
  expect([given, left]).toEqual([[], []]);
  expect(surplus.isLeaving("p01")).toBe(false);
});

it("a partition that is to go again waits for what was begun since it was won back", async () => {
  const { surplus, given, left, underWay, win, lose, finishRecording } = holdTwo();
  surplus.giveUp();
  lose("p01");
  win("p01", "second");
  for (const partition of ["p01", "p02", "p02"]) underWay.begin(partition);
  surplus.giveUp();
  expect([surplus.isLeaving("p01"), surplus.isLeaving("p02")]).toEqual([true, false]);
  await finishRecording();
  expect([given, surplus.isLeaving("p01")]).toEqual([[], true]);
  underWay.end("p01");
  expect(given).toEqual([]);
  await finishRecording();
  expect([given, left]).toEqual([["p01"], ["p01"]]);
});

it("all of them go when asked to, each as soon as what is under way in it has ended", async () => {
  const { surplus, given, underWay, finishRecording } = holdTwo();
  underWay.begin("p01");
  let left = false;
  const leaving = surplus.giveUpAll().then(() => (left = true));
  await finishRecording();
  expect([given, left]).toEqual([["p02"], false]);
  underWay.end("p01");
  await finishRecording();
  await leaving;
  expect(given).toEqual(["p02", "p01"]);
});
