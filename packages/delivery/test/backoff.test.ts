import { expect, it } from "vitest";
import { keys } from "../src/storage/keys.ts";
import type { WorkerOptions } from "../src/worker.ts";
import { accountId, createWorld, event, partition } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";
import { answered } from "./support/fake-transport.ts";

/** A worker that makes no retries. */
async function failingWorld(options: Partial<WorkerOptions> = {}) {
  const world = createWorld();
  world.transport.answerWith(() => answered(500));
  await world.addWebhook("wh_1");
  const worker = world.worker({ retryDelaysSeconds: [], ...options });
  await worker.start();
  const send = async (count: number): Promise<string[]> => {
    const deliveries = await world.publish(
      "wh_1",
      ...Array.from({ length: count }, (_, index) => `ord_${index}`),
    );
    worker.offer(accountId, deliveries);
    await world.clock.advance(0);
    return deliveries.map(({ id }) => id);
  };
  /** Fails one delivery after the other, because several in flight would fail together. */
  const fail = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done++) {
      await send(1);
      while (world.attempts.length <= done) await world.clock.advance(50);
    }
  };
  return { world, worker, send, fail };
}

function startsOf(world: World): number[] {
  return world.attempts.map(({ started_at: startedAt }) => startedAt);
}

it("after ten failures in a row, attempts are spaced by 0.1, 0.2, 0.4 … 180 s, until the webhook is switched off", async () => {
  const { world, worker, send, fail } = await failingWorld();
  await fail(10);
  await send(30);
  await world.clock.advance(35 * 60_000);
  const starts = startsOf(world).slice(9);
  const gaps = starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / 1_000);
  const doubled = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4];
  const expected = [...doubled, ...Array.from({ length: 9 }, () => 180)];
  expect(gaps).toHaveLength(expected.length);
  gaps.forEach((gap, index) => expect(Math.abs(gap - (expected[index] ?? 0))).toBeLessThanOrEqual(0.05));
  expect((await world.webhook("wh_1"))?.status).toBe("switched_off");
  await worker.close();
});

it("one success ends the back-off", async () => {
  const { world, worker, send, fail } = await failingWorld();
  await fail(15);
  world.transport.answerWith(() => answered(200));
  await send(20);
  expect(world.attempts).toHaveLength(15);
  expect(worker.stats.backingOff).toBe(1);
  await world.clock.advance(4_000);
  expect(world.attempts).toHaveLength(35);
  expect(worker.stats.backingOff).toBe(0);
  expect(await world.health("wh_1")).toMatchObject({ consecutive_failures: 0, backoff_until: null });
  await worker.close();
});

it("the next worker continues the back-off", async () => {
  const { world, worker, fail, send } = await failingWorld();
  await fail(16);
  const { backoff_until: until } = await world.health("wh_1");
  expect(until).toBe(world.clock.now() + 6_400);
  await send(1);
  await worker.close();
  const successor = world.worker({
    retryDelaysSeconds: [],
    worker: { id: "worker_2", host: "here", process: 2 },
  });
  await successor.start();
  await world.clock.advance(6_300);
  expect(world.attempts).toHaveLength(16);
  await world.clock.advance(200);
  expect(world.attempts).toHaveLength(17);
  await successor.close();
});

it("a retry is scheduled for the end of the back-off, if that is later than its delay", async () => {
  const { world, worker, send } = await failingWorld({ retryDelaysSeconds: [0.1, 0.1, 0.1, 0.1, 0.1] });
  const ids = await send(5);
  await world.clock.advance(5_000);
  const { backoff_until: until } = await world.health("wh_1");
  const deliveries = await Promise.all(ids.map(world.delivery));
  const last = deliveries
    .flatMap(({ attempts }) => attempts)
    .toSorted((one, other) => one.started_at - other.started_at)
    .at(-1);
  expect(until).toBeGreaterThan(world.clock.now());
  expect(last?.next_attempt_at).toBe(until);
  await worker.close();
});

it("a webhook that is switched on again starts without back-off", async () => {
  const { world, worker, fail, send } = await failingWorld();
  await fail(16);
  await send(1);
  const health = { ...(await world.health("wh_1")), consecutive_failures: 0, backoff_until: null };
  await world.store.commit(partition, {
    mutations: [
      {
        type: "set",
        key: keys.webhookHealth({ accountId, webhookId: "wh_1" }),
        value: JSON.stringify(health),
      },
    ],
  });
  worker.webhookChanged({ accountId, event, webhookId: "wh_1" });
  await world.clock.advance(0);
  expect(world.attempts).toHaveLength(17);
  await worker.close();
});

it("if the back-off is disabled, attempts follow each other at once", async () => {
  const { world, worker, send, fail } = await failingWorld({ maximumBackoffMs: 0 });
  await fail(10);
  await send(20);
  await world.clock.advance(0);
  expect((await world.webhook("wh_1"))?.status).toBe("switched_off");
  await worker.close();
});

it("a receiver that fails for a moment under load is not switched off", async () => {
  const { world, worker, send } = await failingWorld();
  world.transport.answerWith(() => answered(200));
  await send(200);
  let restarting = true;
  world.transport.answerWith(
    () =>
      new Promise((resolve) => {
        const status = restarting ? 503 : 200;
        world.clock.schedule(() => resolve(answered(status)), 20);
      }),
  );
  const ids = await send(100);
  expect(worker.stats.sending).toBe(64);
  await world.clock.advance(50);
  restarting = false;
  await world.clock.advance(5_000);
  expect(await world.webhook("wh_1")).toMatchObject({ status: "active" });
  const statuses = await Promise.all(ids.slice(64).map(async (id) => (await world.delivery(id)).status));
  expect(new Set(statuses)).toEqual(new Set(["delivered"]));
  await worker.close();
});

it("resuming a webhook keeps its back-off", async () => {
  const { world, worker, send, fail } = await failingWorld({ retryDelaysSeconds: [60] });
  await fail(14);
  await world.changeWebhook("wh_1", { status: "paused" });
  await world.clock.advance(70_000);
  await world.changeWebhook("wh_1", { status: "active" });
  const before = world.attempts.length;
  await send(40);
  await world.clock.advance(100);
  expect(world.attempts.length - before).toBe(1);
  expect(await world.webhook("wh_1")).toMatchObject({ status: "active" });
  await worker.close();
});
