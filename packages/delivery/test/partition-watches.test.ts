import type { Key } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, onTestFinished } from "vitest";
import { createPartitionWatches } from "../src/scheduler/partitions/partition-watches.ts";

const partition = "p07";

/** Looks end when they are told to. */
function watchPartitions() {
  const store = memoryStore();
  onTestFinished(() => store.close());
  const looks: PromiseWithResolvers<void>[] = [];
  const lookedBeneath: unknown[] = [];
  const faults: unknown[] = [];
  let isRunning = true;
  const listeners: ((passed: unknown) => void)[] = [];
  const watches = createPartitionWatches({
    store: {
      ...store,
      watch(watched, listener) {
        listeners.push((passed) => Reflect.apply(listener, undefined, [passed]));
        return store.watch(watched, listener);
      },
    },
    onWake(_partition, beneath) {
      lookedBeneath.push(beneath);
      const look = Promise.withResolvers<void>();
      looks.push(look);
      return look.promise;
    },
    isRunning: () => isRunning,
    onFault: (error) => void faults.push(error),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    watches,
    looks,
    lookedBeneath,
    faults,
    settle,
    callWith: (passed: unknown) => listeners.forEach((listener) => listener(passed)),
    stopRunning: () => (isRunning = false),
    async wake(how: true | readonly Key[] = true) {
      await store.commit(partition, { mutations: [], wake: how });
      await settle();
    },
  };
}

it("each wake-up is followed by a look, and those that come during one by one more", async () => {
  const { watches, looks, wake, settle } = watchPartitions();
  watches.start(partition);
  await wake();
  expect(looks).toHaveLength(1);
  await wake();
  await wake();
  expect(looks).toHaveLength(1);
  looks[0]?.resolve();
  await settle();
  expect(looks).toHaveLength(2);
  looks[1]?.resolve();
  await settle();
  expect(looks).toHaveLength(2);
  await wake();
  expect(looks).toHaveLength(3);
});

it("a look that fails is told of, and the next wake-up is followed all the same", async () => {
  const { watches, looks, faults, wake, settle } = watchPartitions();
  watches.start(partition);
  await wake();
  looks[0]?.reject(new Error("away"));
  await settle();
  expect(faults).toEqual([new Error("away")]);
  await wake();
  expect(looks).toHaveLength(2);
});

it("a partition is watched once, however often it is begun, and anew when it was won back", async () => {
  const { watches, looks, wake } = watchPartitions();
  watches.start(partition);
  watches.start(partition);
  watches.stop(partition);
  await wake();
  expect(looks).toHaveLength(0);
  watches.start(partition);
  await wake();
  expect(looks).toHaveLength(1);
  watches.stopAll();
  looks[0]?.resolve();
  await wake();
  expect(looks).toHaveLength(1);
});

it("what woke a worker that is closing meanwhile is not looked at", async () => {
  const { watches, looks, wake, settle, stopRunning } = watchPartitions();
  watches.start(partition);
  await wake();
  await wake();
  stopRunning();
  looks[0]?.resolve();
  await settle();
  expect(looks).toHaveLength(1);
});

it("a wake-up that comes during a look that fails is followed", async () => {
  const { watches, looks, faults, wake, settle } = watchPartitions();
  watches.start(partition);
  await wake();
  await wake();
  looks[0]?.reject(new Error("away"));
  await settle();
  expect(faults).toEqual([new Error("away")]);
  expect(looks).toHaveLength(2);
});

it("what was told of during a look is looked at together after it, each once; everything, where one did not say what", async () => {
  const { watches, looks, lookedBeneath, wake, settle } = watchPartitions();
  const one: Key = [partition, "fresh", "acc_1"];
  const two: Key = [partition, "fresh", "acc_2"];
  watches.start(partition);
  await wake([one]);
  for (const keys of [[one], [two], [two, one]]) await wake(keys);
  looks[0]?.resolve();
  await settle();
  expect(lookedBeneath).toEqual([[one], [one, two]]);
  for (const how of [[one], true, [two]] as const) await wake(how);
  looks[1]?.resolve();
  await settle();
  expect(lookedBeneath.slice(2)).toEqual([undefined]);
  looks[2]?.resolve();
  await settle();
  expect(looks).toHaveLength(3);
  await wake([two]);
  expect(lookedBeneath.slice(3)).toEqual([[two]]);
});

it.each<[what: string, passed: unknown]>([
  ["an event of its emitter", { type: "wake" }],
  ["a text", partition],
  ["a list of something else", [{ partition }]],
  ["an error that is none", null],
  ["no keys at all", []],
  ["more keys than are worth it", Array.from({ length: 257 }, (_, index) => [partition, index])],
])("a store of the host's own that calls with %s is followed by a look at everything", async (_, passed) => {
  const { watches, lookedBeneath, settle, callWith } = watchPartitions();
  watches.start(partition);
  callWith(passed);
  await settle();
  expect(lookedBeneath).toEqual([undefined]);
});
