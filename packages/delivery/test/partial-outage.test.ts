import { expect, it } from "vitest";
import { leaseMs } from "../src/scheduler/leases/worker-identity.ts";
import type { SchedulerOptions } from "../src/scheduler/scheduler.ts";
import { accepted, noAnswer } from "./support/fake-transport.ts";
import { accountId, createWorld, partition } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

const otherPartition = partition === "p00" ? "p01" : "p00";

/** A scheduler of two partitions, of which a test can make one fail. */
async function runningWorld({ pollMs }: Pick<SchedulerOptions, "pollMs"> = {}) {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const scheduler = world.scheduler({ partitions: [partition, otherPartition], pollMs });
  await scheduler.start();
  return {
    world,
    scheduler,
    refuseCommits(of: string) {
      world.store.onCommit = (name, _, next) =>
        name === of ? Promise.reject(new Error("NOREPLICAS")) : next();
    },
  };
}

it("a partition whose leases cannot be renewed keeps no other from being delivered", async () => {
  const { world, scheduler, refuseCommits } = await runningWorld();
  refuseCommits(otherPartition);
  await world.clock.advance(3 * leaseMs);
  expect(scheduler.heldPartitions()).toContain(partition);
  scheduler.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(100);
  expect(world.transport.sent).toHaveLength(1);
  expect((await world.delivery("dlv_00000001")).status).toBe("delivered");
  await scheduler.close();
});

it("nothing begins in a partition whose lease has run out, and all of it once that is renewed", async () => {
  const { world, scheduler, refuseCommits } = await runningWorld();
  refuseCommits(partition);
  await world.clock.advance(leaseMs + 1_000);
  expect(scheduler.takes(accountId)).toBe(false);
  world.store.onCommit = undefined;
  scheduler.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(0);
  expect(world.transport.sent).toEqual([]);
  await world.clock.advance(1_000);
  expect(scheduler.takes(accountId)).toBe(true);
  expect(world.transport.sent).toHaveLength(1);
  await scheduler.close();
});

it("a retry that falls due while the lease has run out is tried once that is renewed", async () => {
  const { world, scheduler } = await runningWorld({ pollMs: 600_000 });
  world.transport.answerWith(noAnswer);
  scheduler.offer(accountId, await world.publish("wh_1", "ord_1"));
  await world.clock.advance(1_000);
  world.store.onCommit = (_, { mutations }, next) =>
    mutations.some(({ key }) => key[1] === "lease-expiry") ? Promise.reject(new Error("NOREPLICAS")) : next();
  await world.clock.advance(leaseMs);
  expect(world.transport.sent).toHaveLength(1);
  world.store.onCommit = undefined;
  await world.clock.advance(1_000);
  expect(world.transport.sent).toHaveLength(2);
  await scheduler.close();
});

it("what ends in a partition that cannot be written for a while does not take the place of what others send", async () => {
  const { world, scheduler, refuseCommits } = await runningWorld();
  world.transport.answerWith(accepted);
  const deliveries = await world.publish(
    "wh_1",
    ...Array.from({ length: 300 }, (_, index) => `ord_${index}`),
  );
  refuseCommits(partition);
  scheduler.offer(accountId, deliveries);
  await world.clock.advance(5_000);
  // What its first round has begun.
  expect(world.transport.sent.length).toBeLessThanOrEqual(8);
  expect(scheduler.stats.unrecorded).toBeLessThanOrEqual(8);
  world.store.onCommit = undefined;
  await world.clock.advance(5_000);
  expect(world.transport.sent).toHaveLength(300);
  for (const { id } of deliveries) expect((await world.delivery(id)).status).toBe("delivered");
  await scheduler.close();
});
