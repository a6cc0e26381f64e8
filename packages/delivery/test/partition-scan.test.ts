import type { Key } from "@hookwright/storage";
import { expect, it } from "vitest";
import { createLanes } from "../src/scheduler/lanes/lanes.ts";
import { createNewsCounter } from "../src/scheduler/scanning/news-counter.ts";
import { createPartitionScan } from "../src/scheduler/scanning/partition-scan.ts";
import { createBriskPace } from "../src/scheduler/scanning/scan-pace.ts";
import { rest } from "./support/fake-clock.ts";
import { createWorld, partition } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

const toQueue = (webhookId: string): Key => [partition, "fresh", "acc_1", "order.created", webhookId];

/** A partition that is held, with a webhook in it. */
async function openScan({ prepare = async (): Promise<void> => {} } = {}) {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  let holds = true;
  let afterAsked = (): void => {};
  const lanes = createLanes({ store: world.store, clock: world.clock, onDue: () => {} });
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const newsCounter = createNewsCounter({
    lanes,
    clock: world.clock,
    worksFor: () => holds,
    onCounted: () => {},
    onFault,
  });
  const partitionScan = createPartitionScan({
    store: world.store,
    lanes,
    clock: world.clock,
    newsCounter,
    prepare,
    worksFor() {
      const held = holds;
      afterAsked();
      return held;
    },
    onFound: () => {},
    onFault,
  });
  return {
    world,
    lanes,
    partitionScan,
    faults,
    hold: (held: boolean) => void (holds = held),
    onAsked: (listener: () => void) => void (afterAsked = listener),
  };
}

type OpenedWorld = Awaited<ReturnType<typeof openScan>>["world"];

/** What the store lists of a queue comes only when it is released. */
function holdListing({ store }: OpenedWorld, queue: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  store.onList = async (options, next) => {
    if (options.prefix[1] === queue) await promise;
    return next(options);
  };
  return resolve;
}

it("a pass that a partition has been lost and won back under looks into nothing any more, and does not count", async () => {
  const { world, lanes, partitionScan, hold } = await openScan();
  const look = { reason: "unprompted", pace: createBriskPace() } as const;
  await partitionScan.scan(partition, look);
  expect(partitionScan.isOwed(partition)).toBe(false);
  const release = holdListing(world, "fresh");
  const begunBefore = partitionScan.scan(partition, look);
  await rest();
  hold(false);
  partitionScan.forget(partition);
  // Another worker had it meanwhile.
  await world.publish("wh_1", "ord_1");
  hold(true);
  release();
  await begunBefore;
  expect(partitionScan.isOwed(partition)).toBe(true);
  expect(lanes.size()).toBe(0);
});

it("what was offered before the first look into a partition that was won does not hide that more was found there", async () => {
  const { world, lanes, partitionScan } = await openScan();
  const look = { reason: "unprompted", pace: createBriskPace() } as const;
  const deliveries = await world.publish("wh_1", "ord_1", "ord_2");
  const address = { accountId: "acc_1", event: "order.created", webhookId: "wh_1" } as const;
  const lane = lanes.open(address, { partition, isBacklog: false });
  for (const delivery of deliveries.slice(1)) lane.offer(delivery, world.clock.now());
  expect(lane.isUnknownBacklog()).toBe(false);
  await partitionScan.scan(partition, look);
  expect(lane.isUnknownBacklog()).toBe(true);
  lane.take();
  await lane.fill(world.clock.now());
  expect(lane.isUnknownBacklog()).toBe(false);
  // Later looks find nothing that has waited for long.
  await world.publish("wh_1", "ord_3");
  await partitionScan.scan(partition, { ...look, reason: "woken" });
  expect(lane.isUnknownBacklog()).toBe(false);
});

it("one queue whose news cannot be counted keeps no other from being counted, and none waits for the count", async () => {
  const { world, lanes, partitionScan, faults } = await openScan();
  await partitionScan.scan(partition, { reason: "unprompted", pace: createBriskPace() });
  const told = ["wh_1", "wh_2"].map((webhookId) => {
    const lane = lanes.open(
      { accountId: "acc_1", event: "order.created", webhookId },
      { partition, isBacklog: false },
    );
    lane.answered("accepted", 1_500);
    return lane;
  });
  await world.addWebhook("wh_2");
  for (const webhookId of ["wh_1", "wh_2"]) await world.publishElsewhere(webhookId, "ord_1");
  world.store.onList = async (options, next) => {
    if (options.reverse && options.prefix.at(-1) === "wh_1") throw new Error("away");
    return next(options);
  };
  await partitionScan.lookBeneath(partition, [toQueue("wh_1"), toQueue("wh_2")]);
  await rest();
  expect(faults).toMatchObject([{ message: "away" }]);
  world.store.onList = undefined;
  for (const lane of told) await lane.fill(world.clock.now());
  // What was not counted is counted when it is read.
  expect(told.map((lane) => lane.mayGoUnpaced(world.clock))).toEqual([true, true]);
});

it("what fails while a look is under way is owed still when that look has ended well", async () => {
  const { world, partitionScan } = await openScan();
  const look = { reason: "woken", pace: createBriskPace() } as const;
  await partitionScan.scan(partition, look);
  const release = holdListing(world, "retry");
  const older = partitionScan.scan(partition, look);
  await rest();
  world.store.onList = () => Promise.reject(new Error("a fault"));
  await expect(partitionScan.scan(partition, look)).rejects.toThrow("a fault");
  world.store.onList = (options, next) => next(options);
  release();
  await older;
  expect(partitionScan.isOwed(partition)).toBe(true);
  await partitionScan.scan(partition, { ...look, reason: "unprompted" });
  expect(partitionScan.isOwed(partition)).toBe(false);
});

it("what a later version has left is passed over and told of, and nobody waits behind it", async () => {
  const { world, lanes, partitionScan, faults } = await openScan();
  await world.publish("wh_1", "ord_1");
  const ofLater = ["event.of_a_later_version", "wh_0"] as const;
  const left = [
    [partition, "fresh", "acc_0", ...ofLater, "dlv_1"],
    [partition, "fresh", "acc_0", ...ofLater, "dlv_2"],
    [partition, "fresh", "acc_0"],
    [partition, "retry", 0],
    [partition, "retry", "acc_0", ...ofLater, 1, "dlv_3"],
    [partition, "retry", "acc_0", "event.of_a_later_version", "wh_2", "dlv_4"],
    [partition, "retry", "acc_0", "event.of_a_later_version", "wh_3", "soon", "dlv_5"],
    [partition, "retry", "acc_0", "order.created", "wh_4", "soon", "dlv_6"],
  ] as const;
  await world.store.commit(partition, {
    mutations: left.map((key) => ({ type: "set", key, value: "" })),
  });
  const scan = () => partitionScan.scan(partition, { reason: "woken", pace: createBriskPace() });
  await scan();
  expect(lanes.find("wh_1")?.hasWork(world.clock)).toBe(true);
  expect(partitionScan.isOwed(partition)).toBe(false);
  const told = (queue: string, webhooks: number, first: readonly unknown[]): string =>
    `${queue} queues that this version cannot read: ${webhooks}, the first at ${first.join("/")}; ` +
    "they wait for the version that has written them";
  const messages = (): unknown[] => faults.map((fault) => (fault instanceof Error ? fault.message : fault));
  const [, , short, firstRetry] = left;
  expect(messages().toSorted()).toEqual([told("fresh", 2, short), told("retry", 4, firstRetry)].toSorted());

  // Once for each partition that is won, and when there are twice as many.
  await scan();
  expect(faults).toHaveLength(2);
  const write = async (type: "set" | "delete", webhooks: readonly string[]): Promise<void> => {
    const keys = webhooks.map((name) => [partition, "fresh", "acc_0", ofLater[0], name, "dlv_1"] as const);
    await world.store.commit(partition, {
      mutations: keys.map((key) => (type === "set" ? { type, key, value: "" } : { type, key })),
    });
    await scan();
  };
  await write("set", ["wh_8"]);
  expect(faults).toHaveLength(2);
  await write("set", ["wh_9"]);
  expect(messages().slice(2)).toEqual([told("fresh", 4, short)]);
  await write("delete", ["wh_8", "wh_9"]);
  await write("set", ["wh_8"]);
  expect(faults).toHaveLength(3);
  partitionScan.forget(partition);
  await scan();
  expect(faults).toHaveLength(5);
});

it("no lane is opened of a partition that was lost in the moment after it was looked at", async () => {
  const { world, lanes, partitionScan, hold, onAsked } = await openScan();
  await world.publish("wh_1", "ord_1");
  let asked = 0;
  onAsked(() => {
    asked += 1;
    // The first time is before anything is read, the second for the lane.
    if (asked !== 2) return;
    queueMicrotask(() => {
      hold(false);
      lanes.drop(partition);
      partitionScan.forget(partition);
    });
  });
  await partitionScan.scan(partition, { reason: "unprompted", pace: createBriskPace() });
  expect(asked).toBeGreaterThan(1);
  expect(lanes.size()).toBe(0);
});

it("a hundred wake-ups in a second look for retries four times, and the next look for those that they have told of", async () => {
  const { world, partitionScan } = await openScan();
  let seeks = 0;
  world.store.onList = (options, next) => {
    if (options.prefix[1] === "retry") seeks += 1;
    return next(options);
  };
  const pace = createBriskPace();
  await partitionScan.scan(partition, { reason: "unprompted", pace });
  seeks = 0;
  for (let wakeUp = 0; wakeUp < 100; wakeUp++) await partitionScan.scan(partition, { reason: "woken", pace });
  expect([seeks, partitionScan.isOwed(partition)]).toEqual([4, true]);
  await partitionScan.scan(partition, { reason: "unprompted", pace });
  expect([seeks, partitionScan.isOwed(partition)]).toEqual([5, false]);
  await world.clock.advance(1_000);
  await partitionScan.scan(partition, { reason: "woken", pace });
  expect([seeks, partitionScan.isOwed(partition)]).toEqual([6, false]);
});

it("where queues are told of, these come to their turn, and nothing else is looked for: however much waits beside them", async () => {
  const { world, lanes, partitionScan } = await openScan();
  for (const webhook of ["wh_2", "wh_3", "wh_4"]) {
    await world.addWebhook(webhook);
    await world.publish(webhook, `ord_of_${webhook}`);
  }
  world.store.onList = () => Promise.reject(new Error("nothing is to be listed"));
  await partitionScan.lookBeneath(partition, [toQueue("wh_2"), toQueue("wh_4")]);
  expect(lanes.size()).toBe(2);
  for (const webhook of ["wh_2", "wh_4"]) expect(lanes.find(webhook)?.hasWork(world.clock)).toBe(true);
  // What was there before it came is looked for all the same.
  expect(partitionScan.isOwed(partition)).toBe(true);
});

it("where something is told of that this version does not know, everything is looked for", async () => {
  const { world, lanes, partitionScan } = await openScan();
  await world.addWebhook("wh_2");
  await world.publish("wh_2", "ord_1");
  for (const unknown of [
    [partition, "fresh", "acc_1", "event.of_a_later_version", "wh_0"],
    [partition, "retry", "acc_1", "order.created", "wh_1"],
    [partition],
    ["p00", "fresh", "acc_1", "order.created", "wh_1"],
  ] satisfies Key[]) {
    await partitionScan.lookBeneath(partition, [toQueue("wh_1"), unknown]);
    expect(lanes.find("wh_2")?.hasWork(world.clock)).toBe(true);
    lanes.drop(partition);
  }
});

it("nothing that is told of is begun where the partition was lost meanwhile, or could not be prepared: that is owed", async () => {
  let preparing = Promise.withResolvers<void>();
  const { lanes, partitionScan, hold } = await openScan({ prepare: () => preparing.promise });
  const looking = partitionScan.lookBeneath(partition, [toQueue("wh_1")]);
  hold(false);
  preparing.resolve();
  await looking;
  expect(lanes.size()).toBe(0);
  partitionScan.forget(partition);
  hold(true);
  await partitionScan.scan(partition, { reason: "unprompted", pace: createBriskPace() });
  expect(partitionScan.isOwed(partition)).toBe(false);
  partitionScan.forget(partition);
  preparing = Promise.withResolvers();
  preparing.reject(new Error("away"));
  await expect(partitionScan.lookBeneath(partition, [toQueue("wh_1")])).rejects.toThrow("away");
  expect(lanes.size()).toBe(0);
  expect(partitionScan.isOwed(partition)).toBe(true);
});
