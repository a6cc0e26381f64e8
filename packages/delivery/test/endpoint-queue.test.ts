import { expect, it } from "vitest";
import { EndpointQueue } from "../src/sending/endpoint-queue.ts";
import { accountId, createWorld, event } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

async function queueWorld() {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const queue = new EndpointQueue(
    { accountId, event, webhookId: "wh_1" },
    { store: world.store, now: world.clock.now, longestRetryDelayMs: 1_000, maximumOffered: () => 64 },
  );
  const [first, second] = await world.publish("wh_1", "ord_1", "ord_2");
  if (first === undefined || second === undefined) throw new Error("nothing was published");
  return { store: world.store, queue, first, second };
}

it("takes a delivery that is offered twice once", async () => {
  const { queue, first, second } = await queueWorld();
  queue.offer(second);
  queue.offer(second);
  expect(queue.ready).toBe(1);
  queue.offer(first);
  queue.offer(first);
  expect(queue.ready).toBe(2);
});

it("does not take a delivery again whose result was recorded while retries are read", async () => {
  const { store, queue, first } = await queueWorld();
  queue.offer(first);
  const taken = queue.take();
  if (taken === undefined) throw new Error("nothing is ready");
  queue.expectRetry(0);
  store.onList = async (options, next) => {
    queue.done(taken);
    queue.offer(first);
    return next(options);
  };
  await queue.refill(64);
  expect(queue.ready).toBe(0);
});

it("in order, what is offered is read from the store, where an earlier delivery may be", async () => {
  const { queue, first, second } = await queueWorld();
  queue.setOrdered(true);
  queue.offer(second);
  expect(queue.ready).toBe(0);
  await queue.refill(1);
  expect(queue.take()?.id).toBe(first.id);
});

it("in order, a delivery that is put back comes before those that were read with it", async () => {
  const { queue, first } = await queueWorld();
  queue.setOrdered(true);
  await queue.refill(8);
  const taken = queue.take();
  if (taken === undefined) throw new Error("nothing is ready");
  queue.putBack(taken);
  await queue.refill(8);
  expect([queue.ready, queue.take()?.id]).toEqual([2, first.id]);
});

it("in order, what a read that began before finds is read again from the head", async () => {
  const { store, queue, first, second } = await queueWorld();
  queue.markDirty();
  store.onList = async (options, next) => {
    const found = await next(options);
    queue.setOrdered(true);
    return found.filter(({ key }) => key.at(-1) === second.id);
  };
  await queue.refill(8);
  expect(queue.ready).toBe(0);
  store.onList = undefined;
  await queue.refill(8);
  expect(queue.take()?.id).toBe(first.id);
});

it("in order, each pass begins at the head, where another process may have written meanwhile", async () => {
  const { store, queue, first, second } = await queueWorld();
  queue.setOrdered(true);
  store.onList = async (options, next) =>
    (await next({ ...options, limit: 8 })).filter(({ key }) => key.at(-1) !== first.id);
  await queue.refill(1);
  expect(queue.take()?.id).toBe(second.id);
  store.onList = undefined;
  queue.markDirty();
  await queue.refill(1);
  expect(queue.take()?.id).toBe(first.id);
});
