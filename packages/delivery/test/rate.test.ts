import { expect, it } from "vitest";
import { TokenBucket } from "../src/sending/token-bucket.ts";
import type { WorkerOptions } from "../src/worker.ts";
import { accepted, answered } from "./support/fake-transport.ts";
import { accountId, createWorld } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";
import type { WebhookRow } from "../src/storage/webhook-row.ts";

async function createLimited(changes: Partial<WebhookRow>, options: Partial<WorkerOptions> = {}) {
  const world = createWorld();
  await world.addWebhook("wh_1", changes);
  const worker = world.worker(options);
  await worker.start();
  const publish = async (count: number, webhookId = "wh_1"): Promise<void> => {
    const names = Array.from({ length: count }, (_, index) => `ord_${index}`);
    worker.offer(accountId, await world.publish(webhookId, ...names));
    await world.clock.advance(0);
  };
  return { world, worker, publish };
}

function timesOf(world: World, webhookId = "wh_1"): number[] {
  return world.transport.sent.filter(({ targetUrl }) => targetUrl.includes(webhookId)).map(({ at }) => at);
}

/** The most requests that began within a second. */
function mostInASecond(times: readonly number[]): number {
  return Math.max(0, ...times.map((start) => times.filter((at) => at >= start && at < start + 1_000).length));
}

it.each([1, 3, 50, 1_000])(
  "no second has more than %d attempts, and nearly as many are made",
  async (limit) => {
    const { world, worker, publish } = await createLimited({ max_per_second: limit });
    world.transport.answerWith(() => accepted());
    await publish(limit * 5);
    await world.clock.advance(4_900);
    const times = timesOf(world);
    expect(mostInASecond(times)).toBeLessThanOrEqual(limit);
    expect(times.length).toBeGreaterThan(limit * 4.5);
    await world.clock.advance(2_000);
    expect(timesOf(world)).toHaveLength(limit * 5);
    expect(world.transport.counts().size).toBe(limit * 5);
    await worker.close();
  },
);

it("of the limits of the owner and of the host, the lower one counts", async () => {
  for (const [own, ofHost] of [
    [100, 2],
    [2, 100],
    [null, 2],
  ] as const) {
    const { world, worker, publish } = await createLimited({
      max_per_second: own,
      host_max_per_second: ofHost,
    });
    await publish(50);
    await world.clock.advance(10_000);
    expect([own, mostInASecond(timesOf(world))]).toEqual([own, 2]);
    await worker.close();
  }
});

it("retries count, and a webhook whose queue is full delays no other", async () => {
  const { world, worker, publish } = await createLimited({ max_per_second: 1 }, { maximumBackoffMs: 0 });
  await world.addWebhook("wh_2");
  world.transport.answerWith(({ targetUrl }) => answered(targetUrl.includes("wh_1") ? 500 : 200));
  await publish(3_000);
  await world.clock.advance(10_000);
  await publish(500, "wh_2");
  await world.clock.advance(0);
  expect(timesOf(world, "wh_2")).toHaveLength(500);
  expect(mostInASecond(timesOf(world))).toBe(1);
  await worker.close();
});

it("a limited webhook that had nothing to do for a moment keeps its limit", async () => {
  const { world, worker, publish } = await createLimited({ max_per_second: 1 }, { rebalanceMs: 100 });
  for (let count = 0; count < 20; count += 1) {
    await publish(1);
    await world.clock.advance(450);
  }
  expect(mostInASecond(timesOf(world))).toBe(1);
  await worker.close();
});

it("a changed limit counts from the next attempt", async () => {
  const { world, worker, publish } = await createLimited({ max_per_second: 1 });
  await publish(500);
  await world.clock.advance(5_000);
  expect(timesOf(world).length).toBeLessThanOrEqual(6);
  await world.changeWebhook("wh_1", { max_per_second: null });
  await world.clock.advance(2_000);
  expect(timesOf(world)).toHaveLength(500);
  await worker.close();
});

it("when a limited webhook is paused, its deliveries are cancelled at once", async () => {
  const { world, worker, publish } = await createLimited({ max_per_second: 1 });
  await publish(500);
  await world.changeWebhook("wh_1", { status: "paused" });
  await world.clock.advance(5_000);
  expect(await world.queued()).toEqual([]);
  await worker.close();
});

it("a clock that is set back does not stop a bucket", () => {
  const bucket = new TokenBucket(1, 1_000_000);
  expect(bucket.take(1_000_000)).toBe(true);
  expect(bucket.timeOf(1, 500)).toBe(1_500);
  expect(bucket.take(1_500)).toBe(true);
});
