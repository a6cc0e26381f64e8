import { expect, it } from "vitest";
import type { Closed, Scheduler } from "../src/scheduler/scheduler.ts";
import { keys } from "../src/rows/keys.ts";
import { accepted, hanging } from "./support/fake-transport.ts";
import { createWorld, partition } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";
import type { FaultyStore } from "./support/faulty-store.ts";

const never = new Promise<never>(() => {});
const quietPartition = partition === "p00" ? "p01" : "p00";

async function runningWorld() {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const scheduler = world.scheduler();
  await scheduler.start();
  return { world, scheduler };
}

async function send({ world, scheduler }: { world: World<FaultyStore>; scheduler: Scheduler }) {
  scheduler.offer("acc_1", await world.publish("wh_1", "ord_1"));
  await world.clock.advance(0);
}

/** Closes, and answers how long that took by the fake clock, which stands still once it is done. */
async function close({ world, scheduler }: { world: World; scheduler: Scheduler }, deadlineMs: number) {
  const start = world.clock.now();
  let end: { readonly closed: Closed; readonly afterMs: number } | undefined;
  void scheduler.close({ deadlineMs }).then((closed) => {
    end = { closed, afterMs: world.clock.now() - start };
  });
  for (let passed = 0; passed < 60_000 && end === undefined; passed += 100) await world.clock.advance(100);
  return end;
}

it("a scheduler with nothing under way closes at once, and leaves no timer behind", async () => {
  const { world, scheduler } = await runningWorld();
  expect(await close({ world, scheduler }, 15_000)).toEqual({
    closed: { unrecorded: 0, released: true },
    afterMs: 0,
  });
  expect(world.clock.timers).toBe(0);
  expect(await world.store.get(keys.leaseExpiry(partition))).toBe("0");
});

it("a scheduler that has closed listens to its partitions no more", async () => {
  let listening = 0;
  const world = createWorld({
    wrapStore: (store) => ({
      ...toFaultyStore(store),
      watch(name, listener) {
        const stop = store.watch(name, listener);
        listening += 1;
        return () => {
          listening -= 1;
          stop();
        };
      },
    }),
  });
  const scheduler = world.scheduler();
  await scheduler.start();
  expect(listening).toBe(1);
  await scheduler.close();
  expect(listening).toBe(0);
});

it.each(["publish", "publishElsewhere"] as const)(
  "what it was looking for when it closed is no fault where the store is closed after it: woken by %s",
  async (publish) => {
    const { world, scheduler } = await runningWorld();
    const closing = Promise.withResolvers<never>();
    let lists = 0;
    world.store.onList = () => {
      lists += 1;
      return closing.promise;
    };
    // As another process does, which wakes this one.
    await world[publish]("wh_1", "ord_1");
    await world.clock.advance(0);
    expect(lists).toBeGreaterThan(0);
    await scheduler.close();
    closing.reject(new Error("the store is closed"));
    await world.clock.advance(0);
    expect(world.faults).toEqual([]);
  },
);

it("an attempt that ends while it closes is recorded, and the lease is given back after that", async () => {
  const { world, scheduler } = await runningWorld();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  await send({ world, scheduler });
  world.clock.schedule(() => slow.give(accepted()), 9_000);
  const end = await close({ world, scheduler }, 15_000);
  expect(end?.closed).toEqual({ unrecorded: 0, released: true });
  expect(end?.afterMs).toBeLessThanOrEqual(9_100);
  expect((await world.delivery("dlv_00000001")).status).toBe("delivered");
});

it("an attempt that does not end is left to the next worker, which is not kept waiting for the lease", async () => {
  const { world, scheduler } = await runningWorld();
  world.transport.answerWith(() => never);
  await send({ world, scheduler });
  const end = await close({ world, scheduler }, 15_000);
  expect(end?.closed).toEqual({ unrecorded: 1, released: true });
  expect(end?.afterMs).toBeLessThanOrEqual(15_000);
  expect(await world.queued()).toHaveLength(1);
  world.transport.answerWith(accepted);
  const next = world.scheduler({ worker: { id: "worker_2", host: "there", process: 2 } });
  await next.start();
  await world.clock.advance(0);
  expect(world.transport.sent).toHaveLength(2);
  await next.close();
});

it.each([
  ["commits", (store: FaultyStore) => void (store.onCommit = () => never)],
  [
    "anything",
    (store: FaultyStore) => {
      store.onCommit = () => never;
      store.onGetMany = () => never;
      store.onList = () => never;
    },
  ],
])("a store that never answers %s holds it up no longer than the deadline", async (_, stall) => {
  const { world, scheduler } = await runningWorld();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  await send({ world, scheduler });
  stall(world.store);
  slow.give(accepted());
  // Also with a look around and a renewal of the leases under way.
  await world.clock.advance(6_000);
  const end = await close({ world, scheduler }, 15_000);
  expect(end?.closed).toEqual({ unrecorded: 1, released: false });
  expect(end?.afterMs).toBeLessThanOrEqual(15_000);
  expect(world.faults).toEqual([]);
});

it("a store that stalls only when the leases are given back holds it up no longer than that may take", async () => {
  const { world, scheduler } = await runningWorld();
  world.store.onCommit = () => never;
  const end = await close({ world, scheduler }, 15_000);
  expect(end?.closed).toEqual({ unrecorded: 0, released: false });
  expect(end?.afterMs).toBeLessThanOrEqual(1_000);
});

it("a store that refuses the release is a fault that is told, and the scheduler is closed all the same", async () => {
  const { world, scheduler } = await runningWorld();
  world.store.onCommit = async () => {
    throw new Error("away");
  };
  expect((await close({ world, scheduler }, 15_000))?.closed.released).toBe(false);
  expect(world.faults).toEqual([new Error("away")]);
});

it("a partition that is won while it closes is given back with the others", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  const scheduler = world.scheduler();
  const { promise: mayTake, resolve: letTake } = Promise.withResolvers<void>();
  world.store.onCommit = async (_, commit, next) => {
    if (commit.mutations.some(({ key }) => key.join() === keys.lease(partition).join())) await mayTake;
    return next();
  };
  const started = scheduler.start();
  await world.clock.advance(0);
  const closed = scheduler.close();
  await world.clock.advance(0);
  letTake();
  await started;
  expect(await closed).toEqual({ unrecorded: 0, released: true });
  expect(scheduler.heldPartitions()).toEqual([]);
  expect(await world.store.get(keys.leaseExpiry(partition))).toBe("0");
});

it("closing twice is closing once", async () => {
  const { world, scheduler } = await runningWorld();
  let commits = 0;
  world.store.onCommit = (_, __, next) => {
    commits += 1;
    return next();
  };
  const [one, other] = await Promise.all([scheduler.close(), scheduler.close()]);
  expect(one).toBe(other);
  expect(commits).toBe(2);
});

it("a partition in which nothing is under way is given back at once, though an attempt in another takes long", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  // More than the share of either, as long as both count.
  const quietOnes = [quietPartition, "p61", "p62"];
  const all = [partition, ...quietOnes];
  const scheduler = world.scheduler({ partitions: all });
  const neighbour = world.scheduler({
    partitions: all,
    worker: { id: "worker_2", host: "there", process: 2 },
  });
  await scheduler.start();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  await send({ world, scheduler });
  const closed = scheduler.close();
  await neighbour.start();
  await world.clock.advance(100);
  expect(scheduler.heldPartitions()).toEqual([partition]);
  expect(await world.store.get(keys.leaseExpiry(quietPartition))).toBe("0");
  // Nobody leaves it to the one that closes, though a heartbeat of it goes on.
  await world.clock.advance(6_000);
  expect(neighbour.heldPartitions().toSorted()).toEqual(quietOnes);
  slow.give(accepted());
  await world.clock.advance(0);
  expect(await closed).toEqual({ unrecorded: 0, released: true });
  await world.clock.advance(1_000);
  expect(neighbour.heldPartitions().toSorted()).toEqual(all.toSorted());
  await neighbour.close();
});

it.each([
  ["another", { id: "worker_2", host: "there", process: 2 }],
  ["the same", { id: "worker_2", host: "here", process: 1 }],
])("attempts that end while it closes are not begun by a worker of %s process", async (_, worker) => {
  const { world, scheduler } = await runningWorld();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  // Right before a renewal.
  await world.clock.advance(4_900);
  await send({ world, scheduler });
  world.clock.schedule(() => slow.give(accepted()), 12_000);
  const closed = scheduler.close();
  const next = world.scheduler({ worker });
  await next.start();
  await world.clock.advance(12_000);
  expect(await closed).toEqual({ unrecorded: 0, released: true });
  await world.clock.advance(2_000);
  expect(world.transport.sent).toHaveLength(1);
  expect(next.heldPartitions()).toEqual([partition]);
  await next.close();
});

it("a partition that could not be given up is given back in the end", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const scheduler = world.scheduler({ partitions: [partition, quietPartition] });
  await scheduler.start();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  await send({ world, scheduler });
  let refusals = 1;
  world.store.onCommit = (_, { mutations }, next) =>
    mutations.some(({ key }) => key.join() === keys.leaseExpiry(quietPartition).join()) && refusals-- > 0
      ? Promise.reject(new Error("away"))
      : next();
  const closed = scheduler.close();
  await world.clock.advance(100);
  expect(await world.store.get(keys.leaseExpiry(quietPartition))).not.toBe("0");
  slow.give(accepted());
  await world.clock.advance(0);
  expect(await closed).toEqual({ unrecorded: 0, released: true });
  expect(await world.store.get(keys.leaseExpiry(quietPartition))).toBe("0");
  expect(world.faults).toEqual([]);
});
