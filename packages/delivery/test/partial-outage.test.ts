import { expect, it } from "vitest";
import { leaseMs } from "../src/partition-leases.ts";
import type { WorkerOptions } from "../src/worker.ts";
import { accepted, noAnswer } from "./support/fake-transport.ts";
import { accountId, createWorld, partition } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

const otherPartition = partition === "p00" ? "p01" : "p00";

/** A worker of two partitions. A test can make the commits of one of them fail. */
async function runningWorld({ scanMs }: Pick<WorkerOptions, "scanMs"> = {}) {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const worker = world.worker({ partitions: [partition, otherPartition], scanMs });
  await worker.start();
  return {
    world,
    worker,
    refuseCommits(of: string) {
      world.store.onCommit = (name, _, next) =>
        name === of ? Promise.reject(new Error("NOREPLICAS")) : next();
    },
  };
}

it("a partition whose lease cannot be renewed does not stop deliveries of other partitions", async () => {
  const { world, worker, refuseCommits } = await runningWorld();
  refuseCommits(otherPartition);
  await world.clock.advance(3 * leaseMs);
  expect(worker.heldPartitions()).toContain(partition);
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(100);
  expect(world.transport.sent).toHaveLength(1);
  expect((await world.delivery("dlv_00000001")).status).toBe("delivered");
  await worker.close();
});

it("no attempt starts in a partition whose lease has expired, until the lease is renewed", async () => {
  const { world, worker, refuseCommits } = await runningWorld();
  refuseCommits(partition);
  await world.clock.advance(leaseMs + 1_000);
  expect(worker.delivers(accountId)).toBe(false);
  world.store.onCommit = undefined;
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(0);
  expect(world.transport.sent).toEqual([]);
  await world.clock.advance(1_000);
  expect(worker.delivers(accountId)).toBe(true);
  expect(world.transport.sent).toHaveLength(1);
  await worker.close();
});

it("a retry that falls due while the lease has expired is sent when the lease is renewed", async () => {
  const { world, worker } = await runningWorld({ scanMs: 600_000 });
  world.transport.answerWith(noAnswer);
  worker.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(1_000);
  world.store.onCommit = (_, { mutations }, next) =>
    mutations.some(({ key }) => key[1] === "lease") ? Promise.reject(new Error("NOREPLICAS")) : next();
  await world.clock.advance(leaseMs);
  expect(world.transport.sent).toHaveLength(1);
  world.store.onCommit = undefined;
  await world.clock.advance(1_000);
  expect(world.transport.sent).toHaveLength(2);
  await worker.close();
});

it("a partition that cannot be written holds only the attempts of its first round, and continues when it can be written", async () => {
  const { world, worker, refuseCommits } = await runningWorld();
  world.transport.answerWith(accepted);
  const deliveries = await world.publish(
    "wh_1",
    ...Array.from({ length: 300 }, (_, index) => `ord_${index}`),
  );
  refuseCommits(partition);
  worker.offer(accountId, deliveries);
  await world.clock.advance(5_000);
  expect(world.transport.sent.length).toBeLessThanOrEqual(8);
  expect(worker.stats.unrecorded).toBeLessThanOrEqual(8);
  world.store.onCommit = undefined;
  await world.clock.advance(5_000);
  expect(world.transport.sent).toHaveLength(300);
  for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("delivered");
  await worker.close();
});

it("a partition that cannot be read is scanned once per rebalance, whatever other partitions notify", async () => {
  const { world, worker } = await runningWorld();
  let scans = 0;
  world.store.onList = (options, next) => {
    if (options.prefix?.[0] !== otherPartition) return next(options);
    scans += 1;
    return Promise.reject(new Error("away"));
  };
  await world.clock.advance(6_000);
  scans = 0;
  for (let order = 1; order <= 50; order++) {
    await world.publishElsewhere("wh_1", `ord_${order}`);
    await world.clock.advance(1);
  }
  expect(scans).toBeLessThanOrEqual(1);
  await world.clock.advance(2_000);
  expect(scans).toBeGreaterThanOrEqual(2);
  expect(world.transport.sent).toHaveLength(50);
  await worker.close();
});

it.each([
  { head: "ends soon", firstMs: 2_000 },
  { head: "hangs", firstMs: 60_000 },
])("a scan finds what no notification named, although the first attempt $head", async ({ firstMs }) => {
  const { world, worker } = await runningWorld();
  world.transport.answerWith(async () => {
    const answerMs = world.transport.sent.length === 1 ? firstMs : 2_000;
    await new Promise<void>((resolve) => world.clock.schedule(resolve, answerMs));
    return accepted();
  });
  const ids: string[] = [];
  for (let at = 0; at < 30; at++) {
    const published = await world.publish("wh_1", `ord_${at}`);
    ids.push(...published.map(({ id }) => id));
    // The notification of one of them is lost. The endpoint has an attempt in flight all the time.
    if (at !== 5) worker.offer(accountId, published);
    await world.clock.advance(500);
  }
  expect(world.transport.counts()).toEqual(new Map(ids.map((id) => [id, 1])));
  await world.clock.advance(firstMs);
  await worker.close();
});
