import { expect, it } from "vitest";
import type { Answer } from "../src/transport/answer.ts";
import { until } from "./support/fake-clock.ts";
import { accepted, answered, noAnswer } from "./support/fake-transport.ts";
import { keys } from "../src/storage/keys.ts";
import type { WorkerOptions } from "../src/worker.ts";
import { accountId, createWorld, partition } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}_${index}`);
const orders = (count: number) => names(count, "ord");

/** A running worker. `answers` has the response of each endpoint by the first part of its host name. */
async function createCase(
  poolSize: number,
  answers: Record<string, () => Answer | Promise<Answer>>,
  options: Partial<WorkerOptions> = {},
) {
  const world = createWorld();
  world.transport.answerWith(({ targetUrl }) => {
    const [kind = ""] = new URL(targetUrl).hostname.split(/[_.]/u);
    return (answers[kind] ?? accepted)();
  });
  const worker = world.worker({ poolSize, ...options });
  await worker.start();
  async function publish(webhookId: string, count: number): Promise<void> {
    worker.offer(accountId, await world.publish(webhookId, ...orders(count)));
  }
  return { world, worker, publish };
}

function sentTo(world: World, webhookId: string): number {
  return world.transport.sent.filter(({ targetUrl }) => targetUrl.includes(`//${webhookId}.`)).length;
}

const inTenSeconds = (world: () => World) => () =>
  new Promise<Answer>((resolve) => world().clock.schedule(() => resolve(noAnswer()), 10_000));

it("a newcomer finds a free slot while more endpoints hang than the pool has slots", async () => {
  const { world, publish } = await createCase(32, { hanging: inTenSeconds(() => world) });
  const hanging = names(30, "hanging");
  for (const name of [...hanging, "healthy"]) await world.addWebhook(name);
  for (const name of hanging) await publish(name, 100);
  await world.clock.advance(0);
  await publish("healthy", 1);
  await world.clock.advance(0);
  expect(sentTo(world, "healthy")).toBe(1);
});

it("endpoints whose attempts fail use at most half of the pool", async () => {
  const { world, worker, publish } = await createCase(32, { hanging: inTenSeconds(() => world) });
  const hanging = names(60, "hanging");
  for (const name of hanging) await world.addWebhook(name);
  for (const name of hanging) await publish(name, 100);
  // By now their first attempts have failed.
  await world.clock.advance(45_000);
  expect(worker.stats.sending).toBeGreaterThan(0);
  expect(worker.stats.sending).toBeLessThanOrEqual(16);
});

it("an endpoint with due work waits for one attempt of each other endpoint, however large their backlogs are", async () => {
  const { world, publish } = await createCase(64, {});
  const busy = names(20, "busy");
  for (const name of [...busy, "late"]) await world.addWebhook(name);
  for (const name of busy) await publish(name, 200);
  await world.clock.advance(0);
  // This delivery waits for one round, and for attempts that were picked before.
  const before = world.transport.sent.length;
  await publish("late", 1);
  await world.clock.advance(0);
  const after = world.transport.sent
    .slice(before)
    .findIndex(({ targetUrl }) => targetUrl.includes("//late."));
  expect(after).toBeGreaterThanOrEqual(0);
  expect(after).toBeLessThanOrEqual(64);
});

it("an endpoint without an attempt in flight need not wait for a round of those that have some", async () => {
  const held: (() => void)[] = [];
  const heldBack = () => new Promise<Answer>((resolve) => held.push(() => resolve(accepted())));
  const { world, worker, publish } = await createCase(4_096, { slow: heldBack }, { scanMs: 600_000 });
  const slow = names(200, "slow");
  for (const name of [...slow, "healthy"]) await world.addWebhook(name);
  const delivery = await world.publish("healthy", "ord_1");
  for (const name of slow) await publish(name, 40);
  await world.clock.advance(0);
  const before = world.transport.sent.length;
  // One response for each slow endpoint makes all of them active again.
  for (let first = 0; first < before; first += 8) held[first]?.();
  await until(() => world.transport.sent.length > before);
  worker.offer(accountId, delivery);
  const offeredAt = world.transport.sent.length;
  await world.clock.advance(0);
  const after = world.transport.sent
    .slice(offeredAt)
    .findIndex(({ targetUrl }) => targetUrl.includes("//healthy."));
  expect(after).toBeGreaterThanOrEqual(0);
  expect(after).toBeLessThanOrEqual(64);
});

it("endpoints that are idle for seconds between their attempts pass one that waits only once each", async () => {
  const { world, publish } = await createCase(4, {}, { scanMs: 600_000 });
  const quiet = names(40, "quiet");
  for (const name of [...quiet, "failing"]) await world.addWebhook(name);
  world.transport.answerWith(() => answered(500));
  await publish("failing", 1);
  await world.clock.advance(0);
  const before = world.transport.sent.length;
  // The pool makes 8 attempts a second. Each quiet endpoint gets another delivery 2 s after an attempt.
  world.transport.answerWith(async ({ targetUrl }) => {
    await new Promise<void>((resolve) => world.clock.schedule(resolve, 500));
    const [name = ""] = new URL(targetUrl).hostname.split(".");
    world.clock.schedule(() => void publish(name, 1), 2_000);
    return accepted();
  });
  for (const name of quiet) await publish(name, 1);
  await world.clock.advance(0);
  await publish("failing", 1);
  await world.clock.advance(10_000);
  const after = world.transport.sent
    .slice(before)
    .findIndex(({ targetUrl }) => targetUrl.includes("//failing."));
  expect(after).toBeGreaterThanOrEqual(0);
  expect(after).toBeLessThanOrEqual(44);
});

it("an endpoint that keeps failing gets attempts less and less often, and no other endpoint waits for it", async () => {
  const { world, publish } = await createCase(64, { failing: () => answered(500) });
  await world.addWebhook("failing");
  await world.addWebhook("healthy");
  await publish("failing", 500);
  await world.clock.advance(0);
  const atOnce = sentTo(world, "failing");
  expect(atOnce).toBeLessThanOrEqual(18);
  await publish("healthy", 50);
  await until(() => sentTo(world, "healthy") === 50);
  await world.clock.advance(60_000);
  // 0.1 + 0.2 + 0.4 … 30 s: a handful of attempts in a minute.
  expect(sentTo(world, "failing") - atOnce).toBeLessThanOrEqual(10);
});

it("a thousand hanging endpoints with backlogs leave free slots, and each gets a share", async () => {
  const world = createWorld();
  const found = names(1_000, "found");
  for (const name of found) {
    await world.addWebhook(name);
    await world.publish(name, "ord_1", "ord_2", "ord_3");
  }
  world.transport.answerWith(inTenSeconds(() => world));
  const worker = world.worker();
  await worker.start();
  await until(() => world.transport.sent.length >= 3_000);
  expect(4_096 - worker.stats.sending).toBeGreaterThanOrEqual(4_096 / 32);
  const targets = new Set(world.transport.sent.map(({ targetUrl }) => targetUrl));
  expect(targets.size).toBe(1_000);
}, 60_000);

it("an unhealthy endpoint gets its turn when a slot of their share is free, though others before it have no work", async () => {
  const held: (() => void)[] = [];
  const { world, worker, publish } = await createCase(4, {}, { scanMs: 600_000 });
  const failing = ["unhealthy_1", "unhealthy_2", "unhealthy_3"];
  for (const name of failing) await world.addWebhook(name);
  world.transport.answerWith(() => answered(500));
  for (const name of failing) await publish(name, 1);
  await world.clock.advance(0);
  expect(world.transport.sent).toHaveLength(3);
  world.transport.answerWith(() => new Promise((resolve) => held.push(() => resolve(answered(200)))));
  await publish("unhealthy_1", 1);
  await publish("unhealthy_2", 1);
  await world.clock.advance(0);
  await publish("unhealthy_3", 1);
  await world.clock.advance(0);
  expect(sentTo(world, "unhealthy_3")).toBe(1);
  for (const give of held.splice(0)) give();
  await world.clock.advance(5_000);
  expect(sentTo(world, "unhealthy_3")).toBe(2);
  for (const give of held.splice(0)) give();
  await worker.close();
});

it("endpoints that failed before a restart use at most half of the pool", async () => {
  const world = createWorld();
  const hanging = names(40, "hanging");
  for (const name of hanging) {
    await world.addWebhook(name);
    const health = {
      consecutive_failures: 5,
      last_success_at: null,
      last_failure_at: 1,
      last_warning_at: null,
    };
    await world.store.commit(partition, {
      mutations: [
        {
          type: "set",
          key: keys.webhookHealth({ accountId, webhookId: name }),
          value: JSON.stringify(health),
        },
      ],
    });
    await world.publish(name, "ord_1");
  }
  world.transport.answerWith(inTenSeconds(() => world));
  const worker = world.worker({ poolSize: 32 });
  await worker.start();
  await world.clock.advance(100);
  expect(worker.stats.sending).toBeLessThanOrEqual(16);
});
