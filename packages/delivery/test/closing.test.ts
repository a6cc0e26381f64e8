import { expect, it } from "vitest";
import type { Closed, Worker } from "../src/worker.ts";
import { keys } from "../src/storage/keys.ts";
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
  const worker = world.worker();
  await worker.start();
  return { world, worker };
}

async function send({ world, worker }: { world: World<FaultyStore>; worker: Worker }) {
  worker.offer("acc_1", await world.publish("wh_1", "ord_1"));
  await world.clock.advance(0);
}

/** Closes a worker, and returns how long that took by the fake clock. */
async function close({ world, worker }: { world: World; worker: Worker }, deadlineMs: number) {
  const start = world.clock.now();
  let end: { readonly closed: Closed; readonly afterMs: number } | undefined;
  void worker.close({ deadlineMs }).then((closed) => {
    end = { closed, afterMs: world.clock.now() - start };
  });
  for (let passed = 0; passed < 60_000 && end === undefined; passed += 100) await world.clock.advance(100);
  return end;
}

it("a worker with nothing in flight closes at once, and leaves no timer and no lease", async () => {
  const { world, worker } = await runningWorld();
  expect(await close({ world, worker }, 15_000)).toEqual({
    closed: { unrecorded: 0, released: true },
    afterMs: 0,
  });
  expect(world.clock.timers).toBe(0);
  expect(await world.store.get(keys.lease(partition))).toBeUndefined();
});

it("a closed worker does not watch the store any more", async () => {
  let listening = 0;
  const world = createWorld({
    wrapStore: (store) => ({
      ...toFaultyStore(store),
      watch(listener) {
        const stop = store.watch(listener);
        listening += 1;
        return () => {
          listening -= 1;
          stop();
        };
      },
    }),
  });
  const worker = world.worker();
  await worker.start();
  expect(listening).toBe(1);
  await worker.close();
  expect(listening).toBe(0);
});

it("a read in progress reports no error if worker and store are closed", async () => {
  const { world, worker } = await runningWorld();
  const closing = Promise.withResolvers<never>();
  let lists = 0;
  world.store.onList = () => {
    lists += 1;
    return closing.promise;
  };
  // As another process does. It notifies this one.
  await world.publishElsewhere("wh_1", "ord_1");
  await world.clock.advance(0);
  expect(lists).toBeGreaterThan(0);
  await worker.close();
  closing.reject(new Error("the store is closed"));
  await world.clock.advance(0);
  expect(world.errors).toEqual([]);
});

it("an attempt that ends during closing is recorded, and then the lease is released", async () => {
  const { world, worker } = await runningWorld();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  await send({ world, worker });
  world.clock.schedule(() => slow.give(accepted()), 9_000);
  const end = await close({ world, worker }, 15_000);
  expect(end?.closed).toEqual({ unrecorded: 0, released: true });
  expect(end?.afterMs).toBeLessThanOrEqual(9_100);
  expect((await world.delivery("dlv_00000001")).status).toBe("delivered");
});

it("an attempt that does not end is made again by the next worker, and the lease is released", async () => {
  const { world, worker } = await runningWorld();
  world.transport.answerWith(() => never);
  await send({ world, worker });
  const end = await close({ world, worker }, 15_000);
  expect(end?.closed).toEqual({ unrecorded: 1, released: true });
  expect(end?.afterMs).toBeLessThanOrEqual(15_000);
  expect(await world.queued()).toHaveLength(1);
  world.transport.answerWith(accepted);
  const next = world.worker({ worker: { id: "worker_2", host: "there", process: 2 } });
  await next.start();
  await world.clock.advance(0);
  expect(world.transport.sent).toHaveLength(2);
  await next.close();
});

it.each([
  ["commits", (store: FaultyStore) => void (store.onCommit = () => never)],
  [
    "any call",
    (store: FaultyStore) => {
      store.onCommit = () => never;
      store.onGetMany = () => never;
      store.onList = () => never;
    },
  ],
])("a store that never responds to %s delays closing no longer than the deadline", async (_, stall) => {
  const { world, worker } = await runningWorld();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  await send({ world, worker });
  stall(world.store);
  slow.give(accepted());
  // A rebalance and a renewal of the leases are in progress.
  await world.clock.advance(6_000);
  const end = await close({ world, worker }, 15_000);
  expect(end?.closed).toEqual({ unrecorded: 1, released: false });
  expect(end?.afterMs).toBeLessThanOrEqual(15_000);
  expect(world.errors).toEqual([]);
});

it("a store that stalls only when leases are released delays closing by at most one second", async () => {
  const { world, worker } = await runningWorld();
  world.store.onCommit = () => never;
  const end = await close({ world, worker }, 15_000);
  expect(end?.closed).toEqual({ unrecorded: 0, released: false });
  expect(end?.afterMs).toBeLessThanOrEqual(1_000);
});

it("an error when a lease is released is reported, and the worker is closed", async () => {
  const { world, worker } = await runningWorld();
  world.store.onCommit = async () => {
    throw new Error("away");
  };
  expect((await close({ world, worker }, 15_000))?.closed.released).toBe(false);
  expect(world.errors).toEqual([new Error("away")]);
});

it("a partition that is acquired during closing is released as well", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  const worker = world.worker();
  const { promise: mayTake, resolve: letTake } = Promise.withResolvers<void>();
  world.store.onCommit = async (_, commit, next) => {
    if (commit.mutations.some(({ key }) => key.join() === keys.lease(partition).join())) await mayTake;
    return next();
  };
  const started = worker.start();
  await world.clock.advance(0);
  const closed = worker.close();
  await world.clock.advance(0);
  letTake();
  await started;
  expect(await closed).toEqual({ unrecorded: 0, released: true });
  expect(worker.heldPartitions()).toEqual([]);
  expect(await world.store.get(keys.lease(partition))).toBeUndefined();
});

it("closing twice has the same effect as closing once", async () => {
  const { world, worker } = await runningWorld();
  let commits = 0;
  world.store.onCommit = (_, __, next) => {
    commits += 1;
    return next();
  };
  const [one, other] = await Promise.all([worker.close(), worker.close()]);
  expect(one).toBe(other);
  expect(commits).toBe(2);
});

it("a partition without attempts is released at once, although an attempt of another partition takes long", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  // More partitions than the fair share of one of two workers.
  const quietOnes = [quietPartition, "p61", "p62"];
  const all = [partition, ...quietOnes];
  const worker = world.worker({ partitions: all });
  const neighbour = world.worker({
    partitions: all,
    worker: { id: "worker_2", host: "there", process: 2 },
  });
  await worker.start();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  await send({ world, worker });
  const closed = worker.close();
  await neighbour.start();
  await world.clock.advance(100);
  expect(worker.heldPartitions()).toEqual([partition]);
  expect(await world.store.get(keys.lease(quietPartition))).toBeUndefined();
  // The closing worker is not counted any more, although it still renews its lease.
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
])("attempts that end during closing are not made again by a worker of %s process", async (_, identity) => {
  const { world, worker } = await runningWorld();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  // Just before a renewal.
  await world.clock.advance(4_900);
  await send({ world, worker });
  world.clock.schedule(() => slow.give(accepted()), 12_000);
  const closed = worker.close();
  const next = world.worker({ worker: identity });
  await next.start();
  await world.clock.advance(12_000);
  expect(await closed).toEqual({ unrecorded: 0, released: true });
  await world.clock.advance(2_000);
  expect(world.transport.sent).toHaveLength(1);
  expect(next.heldPartitions()).toEqual([partition]);
  await next.close();
});

it("a partition whose release fails at first is released at the end", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const worker = world.worker({ partitions: [partition, quietPartition] });
  await worker.start();
  const slow = hanging();
  world.transport.answerWith(() => slow.answer);
  await send({ world, worker });
  let refusals = 1;
  world.store.onCommit = (_, { mutations }, next) =>
    mutations.some(({ key }) => key.join() === keys.lease(quietPartition).join()) && refusals-- > 0
      ? Promise.reject(new Error("away"))
      : next();
  const closed = worker.close();
  await world.clock.advance(100);
  expect(await world.store.get(keys.lease(quietPartition))).toBeDefined();
  slow.give(accepted());
  await world.clock.advance(0);
  expect(await closed).toEqual({ unrecorded: 0, released: true });
  expect(await world.store.get(keys.lease(quietPartition))).toBeUndefined();
  expect(world.errors).toEqual([]);
});
